/** Prepares a query for the kernel. */

/** Padded, unit length; undefined for an all-zero one. Throws RangeError for a wrong number of dimensions. */
export function prepared(
  query: Float32Array,
  { dimensions, padded }: { readonly dimensions: number; readonly padded: number },
): Float32Array | undefined {
  if (query.length !== dimensions) {
    throw new RangeError(`a query of ${query.length} dimensions where all vectors have ${dimensions}`);
  }
  let squares = 0;
  for (const value of query) squares += value * value;
  if (!Number.isFinite(squares)) throw new RangeError('the query holds numbers that are not finite');
  if (squares === 0) return undefined;
  const ready = new Float32Array(padded);
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < query.length; at++) ready[at] = query[at]! * scale;
  return ready;
}

/** The query in steps of a 2,047th of its largest component: see kernel.wat. */
export function quantised(query: Float32Array): { values: Int16Array; step: number } {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  const step = (largest || 1) / 2047;
  return { values: Int16Array.from(query, (value) => Math.round(value / step)), step };
}
