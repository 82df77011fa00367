/** Everything derived from one catalog. A reload makes a new one and replaces this one. */
import { LRUCache } from 'lru-cache';
import { isServiceError } from 'plugboard/sdk';
import { catalogIn } from '../catalog/in-zone.js';
import type { Catalog, Relation } from '../catalog/model.js';
import { CatalogError } from '../catalog/read.js';
import { ALL_RIGHTS } from '../plan/rights.js';
import { wholeSource } from '../plan/source.js';
import { keyOf, type Caller, type Distinctions } from '../policies/caller.js';
import { CallerRights } from '../policies/caller-rights.js';
import { distinctionsOf } from '../policies/check.js';
import { seenCache } from '../plan/seen-cache.js';
import type { TimeZone } from '../values/time-zone.js';
import type { WriteSchema } from '../write/request.js';
import { rowChecks } from '../write/checks.js';
import { references } from '../write/references.js';
import type { RowCheck } from '../write/row-constraints.js';

export interface SchemaState extends WriteSchema {
  /** The same for requests in another time zone. */
  readonly inZone: (zone: TimeZone) => SchemaState;
  /** The same for a caller: one state for all who see the same, so that anything cached with it is theirs. */
  readonly seenBy: (caller: Caller) => SchemaState;
}

/** Cached states of time zones: each is as large as the first, without its prepared reads. */
const ZONES_KEPT = 16;
/** Callers with different rows, with their prepared reads. */
const CALLERS_KEPT = 256;

/** Throws a CatalogError when a condition of the catalog cannot be read. */
export function schemaState(catalog: Catalog): SchemaState {
  const checks = new Map<Relation, RowCheck[]>();
  for (const { relations } of catalog.schemas.values()) {
    for (const relation of relations.values()) {
      const where = `${relation.schema}.${relation.name}`;
      if (relation.kind === 'table')
        checks.set(
          relation,
          understood(where, () => rowChecks(catalog, relation)),
        );
      else understood(where, () => wholeSource(catalog, relation));
    }
  }
  const distinctions = understood('policies', () => distinctionsOf(catalog));
  const whole: SchemaState = {
    catalog,
    cache: seenCache(catalog),
    references: references(catalog),
    checks: (table) => checks.get(table) ?? [],
    inZone: zonesOf(catalog),
    seenBy: (caller) => seen(caller),
  };
  const seen = distinctions === undefined ? () => whole : viewersOf(whole, distinctions);
  return whole;
}

function viewersOf(whole: SchemaState, distinctions: Distinctions): SchemaState['seenBy'] {
  const states = new LRUCache<string, SchemaState>({ max: CALLERS_KEPT });
  return (caller) => {
    if (caller.bypasses) return whole;
    const key = keyOf(distinctions, caller);
    const known = key === undefined ? undefined : states.get(key);
    if (known !== undefined) return known;
    const state: SchemaState = {
      ...whole,
      cache: { ...whole.cache, rights: new CallerRights(whole.catalog, caller) },
      inZone: (zone) => whole.inZone(zone).seenBy(caller),
    };
    if (key !== undefined) states.set(key, state);
    return state;
  };
}

/** Whether the catalog hides nothing from the caller. */
export function seesAll({ cache }: SchemaState): boolean {
  return cache.rights === ALL_RIGHTS;
}

function zonesOf(catalog: Catalog): SchemaState['inZone'] {
  const states = new LRUCache<TimeZone, SchemaState>({ max: ZONES_KEPT });
  return (zone) => {
    const known = states.get(zone) ?? schemaState(catalogIn(catalog, zone));
    states.set(zone, known);
    return known;
  };
}

function understood<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw new CatalogError(`the catalog has problems\n${where}: ${error.message}`, { cause: error });
  }
}
