/** Caches the query strings of recent requests, parsed and planned once per catalog. */
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../engine/base/once-per.js';
import type { Relation } from '../../engine/catalog/model.js';
import { canonicalLocation } from '../http/location.js';
import type { Level } from '../../engine/plan/level.js';
import { planRead, type PlanLimits } from '../../engine/plan/plan.js';
import { parseQuery } from '../../engine/query/parse.js';
import type { SeenCache } from '../../engine/plan/seen-cache.js';
import { noticingMoments } from '../../engine/values/moment.js';
import { rootWindow, type AskedWindow } from './window.js';

export interface PreparedRead {
  readonly level: Level;
  readonly window: AskedWindow;
  /** The `Content-Location` of the response; undefined if it would be too long. */
  readonly location: string | undefined;
  /** Whether it depends on the time. */
  readonly momentary: boolean;
}

/** Plans and their strings together are some kilobytes each. */
const MOST_KEPT = 1_000;
/** Longer query strings rarely repeat, and would displace many. */
const LONGEST_KEPT = 2_048;

export class PreparedReads {
  readonly #cache: SeenCache;
  readonly #recent = new LRUCache<string, PreparedRead>({ max: MOST_KEPT });

  constructor(cache: SeenCache) {
    this.#cache = cache;
  }

  /** Throws what parsing and planning throw; the limits are the same for all calls. */
  prepare(limits: PlanLimits, relation: Relation, search: string): PreparedRead {
    const key = `${relation.schema}\0${relation.name}\0${search}`;
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const { result, momentary } = noticingMoments(() => plan(this.#cache, limits, relation, search));
    const prepared = { ...result, momentary };
    if (!momentary && search.length <= LONGEST_KEPT) this.#recent.set(key, prepared);
    return prepared;
  }
}

/** Per catalog, as long as it is in force. */
export const preparedReads = oncePer((cache: SeenCache) => new PreparedReads(cache));

function plan(
  cache: SeenCache,
  limits: PlanLimits,
  relation: Relation,
  search: string,
): Omit<PreparedRead, 'momentary'> {
  const { window, rest } = rootWindow(parseQuery(search));
  return {
    level: planRead(cache, limits, relation, rest),
    window,
    location: canonicalLocation(`/${encodeURIComponent(relation.name)}`, search),
  };
}
