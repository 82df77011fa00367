/** A readable browser name from its `User-Agent`: `Firefox, Linux`. */

/** In this order: the agents of earlier ones also name later ones. */
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

/** The whole text if it names neither. */
export function browserName(agent: string): string {
  const named = (table: readonly (readonly [string, string])[]): string | undefined =>
    table.find(([part]) => agent.includes(part))?.[1];
  return [named(BROWSERS), named(SYSTEMS)].filter((part) => part !== undefined).join(', ') || agent;
}
