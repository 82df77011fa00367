/** BSON's order of values (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/). */

export function inOrder(values: unknown[]): unknown[] {
  return values.sort(compare);
}

function compare(a: unknown, b: unknown): number {
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  if (a instanceof Date) return a.getTime() - (b as Date).getTime();
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  if (a instanceof Uint8Array)
    return a.length - (b as Uint8Array).length || Buffer.compare(a, b as Uint8Array);
  if (typeof a === 'object' && a !== null) return compareMembers(a, b as object);
  if ((a as number) < (b as number)) return -1;
  return (a as number) > (b as number) ? 1 : 0;
}

function compareMembers(a: object, b: object): number {
  const [one, other] = [Object.entries(a), Object.entries(b)];
  for (const [at, [name, value]] of one.entries()) {
    const match = other[at];
    if (match === undefined) return 1;
    const order = rank(value) - rank(match[1]) || compare(name, match[0]) || compare(value, match[1]);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 1;
    case 'string':
      return 2;
    case 'boolean':
      return 6;
    default:
      if (value instanceof Date) return 7;
      if (value instanceof Uint8Array) return 5;
      return Array.isArray(value) ? 4 : 3;
  }
}
