/** The `Prefer` header (RFC 7240) and its echo, `Preference-Applied`. */
import { errors } from '../../engine/base/errors.js';
import { timeZoneNamed, UTC, type TimeZone } from '../../engine/values/time-zone.js';

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  readonly missing: 'default' | 'null' | undefined;
  readonly returning: 'minimal' | 'headers-only' | 'representation' | undefined;
  readonly count: 'exact' | 'planned' | 'estimated' | undefined;
  readonly tx: 'commit' | 'rollback' | undefined;
  readonly strict: boolean;
  /** UTC unless the request prefers another one. */
  readonly timeZone: TimeZone;
  /** Only with strict handling. */
  readonly maxAffected: number | undefined;
  /** The known preferences of the header, in the order of `Preference-Applied`. */
  readonly applied: readonly Applied[];
}

export interface Applied {
  readonly name: keyof typeof VALUES | 'timezone' | 'max-affected';
  readonly value: string;
}

const VALUES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated', 'none'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const satisfies Record<string, readonly string[]>;

/** The order in which honoured preferences are listed. */
const ORDER = ['resolution', 'missing', 'return', 'count', 'tx', 'handling', 'timezone', 'max-affected'];

/**
 * Several headers arrive joined by commas. The first value of a preference counts. With `handling=strict` an unknown
 * preference is refused (SVC122); otherwise it is ignored.
 */
export function parsePreferences(header: string | undefined): Preferences {
  return header === undefined ? NONE : parse(header);
}

function parse(header: string): Preferences {
  const tokens = header.split(',').map((token) => token.trim());
  const found = new Map<string, string>();
  const unknown: string[] = [];
  for (const token of tokens.filter((one) => one !== '')) {
    const [name = '', value = ''] = token.split('=').map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
    if (!isKnown(name, value)) unknown.push(token);
    else if (!found.has(name)) found.set(name, value);
  }
  const strict = found.get('handling') === 'strict';
  if (strict && unknown.length > 0) {
    throw errors.SVC122({ details: `Invalid preferences: ${unknown.join(', ')}` });
  }
  // Without strict handling the number does not bind, so it is not reported as applied either.
  if (!strict) found.delete('max-affected');
  const of = <T extends string>(name: string): T | undefined => found.get(name) as T | undefined;
  const count = of<'exact' | 'planned' | 'estimated' | 'none'>('count');
  return {
    resolution: of('resolution'),
    missing: of('missing'),
    returning: of('return'),
    count: count === 'none' ? undefined : count,
    tx: of('tx'),
    strict,
    timeZone: timeZoneNamed(found.get('timezone') ?? 'UTC') ?? UTC,
    maxAffected: found.has('max-affected') ? Number(found.get('max-affected')) : undefined,
    applied: [...found]
      .filter(([name, value]) => !(name === 'count' && value === 'none'))
      .map(([name, value]) => ({ name: name as Applied['name'], value }))
      .toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name)),
  };
}

const NONE = parse('');

function isKnown(name: string, value: string): boolean {
  if (name === 'timezone') return timeZoneNamed(value) !== undefined;
  if (name === 'max-affected') return /^\d{1,15}$/.test(value);
  return (
    Object.hasOwn(VALUES, name) && (VALUES[name as keyof typeof VALUES] as readonly string[]).includes(value)
  );
}

/** The header's value, for the preferences that this kind of request honours; undefined if none. */
export function preferenceApplied(
  preferences: Preferences,
  honoured: readonly Applied['name'][],
): string | undefined {
  const applied = preferences.applied.filter(({ name }) => honoured.includes(name));
  return applied.length === 0 ? undefined : applied.map(({ name, value }) => `${name}=${value}`).join(', ');
}
