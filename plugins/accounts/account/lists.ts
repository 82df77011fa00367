/**
 * The listings of an account, each a name made of its platform, whether it is closed, and applied configurations, the
 * e-mail address or one metadata entry. A listing is thus a single index range, whatever else is stored.
 */
import { sha256 } from 'plugboard/sdk';
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';
import { appliedOf, type AccountState } from './state.js';

/** The filter of a listing: accounts that match all of it. */
export interface Wanted {
  readonly configurations?: readonly ConfigurationName[];
  readonly email?: string | undefined;
  readonly metadata?: readonly (readonly [key: string, value: string])[];
}

/** Every subset of the applied configurations, the empty one too (at most eight); the address; each metadata entry. */
export function listsOf(platform: string, closed: boolean, state: AccountState): string[] {
  const sets = appliedOf(state).reduce<ConfigurationName[][]>(
    (smaller, name) => [...smaller, ...smaller.map((set) => [...set, name])],
    [[]],
  );
  const { contact_email: email, metadata } = state;
  return [
    ...sets.map((set) => setName(platform, closed, set)),
    ...valueNames(platform, closed, { email, metadata: Object.entries(metadata) }),
  ].toSorted();
}

/** The listings whose intersection is wanted, the one with the fewest accounts first. */
export function listNames(platform: string, closed: boolean, wanted: Wanted): readonly [string, ...string[]] {
  const [first, ...others] = [
    ...valueNames(platform, closed, wanted),
    setName(platform, closed, wanted.configurations ?? []),
  ];
  return [first!, ...others];
}

function setName(platform: string, closed: boolean, names: readonly ConfigurationName[]): string {
  const sorted = CONFIGURATIONS.filter((name) => names.includes(name));
  return `${platform}|${closed ? 'closed' : 'open'}|${sorted.join(',')}`;
}

/** Hashes, as values may be long; addresses are case-insensitive. */
function valueNames(platform: string, closed: boolean, { email, metadata = [] }: Wanted): string[] {
  const values = [
    ...(email === undefined ? [] : [['contact_email', email.toLowerCase()]]),
    ...metadata.map(([key, value]) => ['metadata', key, value]),
  ];
  return values.map(
    (value) => `${platform}|${closed ? 'closed' : 'open'}|=${sha256(JSON.stringify(value)).slice(0, 32)}`,
  );
}
