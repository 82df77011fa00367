/**
 * The listings that an account stands in, each a name: its platform, whether it is closed, and configurations that it
 * has. A listing by configurations is so one range of an index, whatever else there is.
 */
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';

/** Every set of the applied configurations, the empty one too: at most eight. */
export function listsOf(platform: string, closed: boolean, applied: readonly ConfigurationName[]): string[] {
  const sets = applied.reduce<ConfigurationName[][]>(
    (smaller, name) => [...smaller, ...smaller.map((set) => [...set, name])],
    [[]],
  );
  return sets.map((set) => listName(platform, closed, set)).toSorted();
}

export function listName(platform: string, closed: boolean, names: readonly ConfigurationName[]): string {
  const sorted = CONFIGURATIONS.filter((name) => names.includes(name));
  return `${platform}|${closed ? 'closed' : 'open'}|${sorted.join(',')}`;
}
