/** A browser's name out of its `User-Agent`, as people know it: `Firefox, Linux`. */

/** In this order: each later one is also named by those before it. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** The whole text where it names neither. */
export function browserName(agent: string): string {
  const named = (table: readonly (readonly [string, string])[]): string | undefined =>
    table.find(([part]) => agent.includes(part))?.[1];
  return [named(BROWSERS), named(SYSTEMS)].filter((part) => part !== undefined).join(', ') || agent;
}
