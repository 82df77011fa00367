/**
 * What an account still has to provide, and which capabilities that restricts. A pure function of the account and the
 * time.
 */
import { controllerOf } from '../account/controller.js';
import { requestedOf, type AccountState, type PersonRole } from '../account/state.js';
import { taxLocationOf } from '../account/tax-location.js';
import { BUSINESS_ID_TYPES, INDIVIDUAL_ID_TYPES } from '../schema/enums.js';
import { capabilityRow } from '../tables/capabilities.js';
import { requirementsOf, type Requirement } from './table.js';

export type Deadline = 'past_due' | 'currently_due' | 'eventually_due';

export interface CapabilityStatus {
  readonly status: 'active' | 'restricted' | 'unsupported';
  readonly status_details: readonly { readonly code: string; readonly resolution: string }[];
}

export interface Entry {
  /** Of a person: `person.given_name`. */
  readonly path: string;
  /** The person who must provide it. */
  readonly person?: string | undefined;
  readonly deadline: Deadline;
  /** The due date. */
  readonly time: number;
  /** The capabilities that it restricts, or will restrict. */
  readonly capabilities: readonly string[];
}

export interface Assessment {
  /** By name with configuration: `merchant.card_payments`. */
  readonly capabilities: ReadonlyMap<string, CapabilityStatus>;
  readonly entries: readonly Entry[];
  readonly future: readonly Entry[];
}

const DAY = 86_400_000;
/** This long before its due date a requirement changes from eventually to currently due. */
const NOTICE = 30 * DAY;

/** Strictest first. */
const STRICT: readonly Deadline[] = ['past_due', 'currently_due', 'eventually_due'];

/** `now` in epoch milliseconds. */
export function assess(state: AccountState, now: number): Assessment {
  const requested = requestedOf(state);
  const subject = subjectOf(state);
  const missing = requested.flatMap((one) => missingOf(subject, one, now));
  const entries = merged(missing.filter(({ isFuture }) => !isFuture));
  const future = merged(missing.filter(({ isFuture }) => isFuture));
  const pastDue = new Set(
    entries.filter(({ deadline }) => deadline === 'past_due').flatMap(({ capabilities }) => capabilities),
  );
  const statuses = requested.map(({ name }) => [name, statusOf(subject, name, pastDue.has(name))] as const);
  return { capabilities: new Map(withPayouts(statuses)), entries, future };
}

/** One requirement of an account, met or not. */
export interface Asked {
  readonly path: string;
  /** The role of the persons concerned. */
  readonly person: PersonRole | undefined;
  /** Whether it concerns persons, or their completeness. */
  readonly ofPersons: boolean;
  readonly isMissing: boolean;
  /** The persons who lack it. */
  readonly missingIn: readonly string[];
  readonly deadline: Deadline;
  readonly isFuture: boolean;
}

/** All requirements of the account, met or not, once for each capability that has them. */
export function askedOf(state: AccountState, now: number): Asked[] {
  const subject = subjectOf(state);
  return requestedOf(state).flatMap((one) =>
    applyingOf(subject, one, now).map(({ row, places, deadline, isFuture }) => ({
      path: row.person === undefined ? (row.path ?? '') : `person.${row.path ?? row.person}`,
      person: row.person,
      ofPersons: row.person !== undefined || row.of_persons === true,
      isMissing: places.length > 0,
      missingIn: places.flatMap(({ person }) => person ?? []),
      deadline,
      isFuture,
    })),
  );
}

export function strictest(entries: readonly Entry[]): Entry | undefined {
  return entries.toSorted(
    (a, b) => STRICT.indexOf(a.deadline) - STRICT.indexOf(b.deadline) || a.time - b.time,
  )[0];
}

/** An account with the facts that select its requirements. */
interface Subject {
  readonly state: AccountState;
  /** In capitals, as in all tables. */
  readonly country: string | undefined;
  readonly type: string | undefined;
  readonly collector: string | undefined;
}

function subjectOf(state: AccountState): Subject {
  return {
    state,
    country: state.identity?.country?.toUpperCase(),
    type: state.identity?.entity_type,
    collector: controllerOf(state)?.requirements_collector,
  };
}

interface Missing {
  readonly path: string;
  readonly person?: string | undefined;
  readonly deadline: Deadline;
  readonly time: number;
  readonly capability: string;
  readonly isFuture: boolean;
}

function missingOf(subject: Subject, requested: Requested, now: number): Missing[] {
  return applyingOf(subject, requested, now).flatMap(({ places, time, deadline, isFuture }) =>
    places.map((place) => ({ ...place, deadline, time, capability: requested.name, isFuture })),
  );
}

type Requested = ReturnType<typeof requestedOf>[number];

/** A row that applies to an account, and where its data is missing. */
interface Applying extends Pick<Missing, 'deadline' | 'time' | 'isFuture'> {
  readonly row: Requirement;
  readonly places: readonly Pick<Missing, 'path' | 'person'>[];
}

function applyingOf(subject: Subject, { name, since }: Requested, now: number): Applying[] {
  const requested = Date.parse(since);
  return requirementsOf(name).flatMap((row) => {
    if (!applies(row, subject)) return [];
    const places = missingIn(row, subject.state);
    const from = row.from === undefined ? requested : Math.max(row.from, requested);
    const time = from + (row.due_days ?? 0) * DAY;
    const deadline = now >= time ? 'past_due' : now >= time - NOTICE ? 'currently_due' : 'eventually_due';
    return [{ row, places, time, deadline, isFuture: now < from }];
  });
}

function applies(row: Requirement, { state, type, country, collector }: Subject): boolean {
  const ofPersons = row.person !== undefined || row.of_persons === true;
  return (
    (!ofPersons || state.persons !== undefined) &&
    (row.path?.endsWith('.id_numbers') !== true || hasIdTypes(row.path, country)) &&
    (row.entity_types === undefined || (type !== undefined && row.entity_types.includes(type))) &&
    (row.countries === undefined || (country !== undefined && row.countries.includes(country))) &&
    (row.requirements_collector === undefined || collector === row.requirements_collector)
  );
}

/** Id numbers cannot be required in a country without types of them. */
function hasIdTypes(path: string, country: string | undefined): boolean {
  const types = path.includes('business_details') ? BUSINESS_ID_TYPES : INDIVIDUAL_ID_TYPES;
  return country === undefined || types.some((type) => type.startsWith(`${country.toLowerCase()}_`));
}

/** Where the row's data is missing: in the account, or in which persons. */
function missingIn(row: Requirement, state: AccountState): Pick<Missing, 'path' | 'person'>[] {
  const { person: role, path } = row;
  if (role === undefined) return isThere(row, state) ? [] : [{ path: path ?? '' }];
  const holders = (state.persons ?? []).filter(({ roles }) => roles.includes(role));
  if (path === undefined) return holders.length > 0 ? [] : [{ path: `person.${role}` }];
  return holders
    .filter(({ has }) => !row.ways.some((way) => has.includes(way.join('.'))))
    .map(({ id }) => ({ path: `person.${path}`, person: id }));
}

function isThere({ ways }: Requirement, state: AccountState): boolean {
  return ways.some((way) =>
    way[0] === 'tax_location' ? taxLocationOf(state).country !== undefined : isFilled(valueAt(state, way)),
  );
}

function valueAt(state: AccountState, way: readonly string[]): unknown {
  let value: unknown = state;
  for (const name of way) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== '' && value !== false;
}

/** One entry per path and person, due when the first capability needs it. */
function merged(missing: readonly Missing[]): Entry[] {
  const byPath = new Map<string, Missing[]>();
  for (const one of missing) {
    const key = `${one.path} ${one.person ?? ''}`;
    const others = byPath.get(key);
    if (others === undefined) byPath.set(key, [one]);
    else others.push(one);
  }
  return Array.from(byPath.values(), (all) => {
    const { path, person, deadline, time } = all.reduce((first, one) =>
      one.time < first.time ? one : first,
    );
    // Once per person, whatever their roles, and per capability.
    const capabilities = [...new Set(all.map(({ capability }) => capability))].toSorted();
    return { path, person, deadline, time, capabilities };
  });
}

const ACTIVE: CapabilityStatus = { status: 'active', status_details: [] };
const RESTRICTED: CapabilityStatus = {
  status: 'restricted',
  status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
};

function statusOf({ country, type }: Subject, name: string, pastDue: boolean): CapabilityStatus {
  const { countries, entity_types_excluded = {} } = capabilityRow(name);
  if (countries !== undefined && country !== undefined && !countries.includes(country))
    return unsupported('unsupported_country');
  if (type !== undefined && entity_types_excluded[country ?? '']?.includes(type))
    return unsupported('unsupported_entity_type');
  return pastDue ? RESTRICTED : ACTIVE;
}

function unsupported(code: string): CapabilityStatus {
  return { status: 'unsupported', status_details: [{ code, resolution: 'no_resolution' }] };
}

/** Payouts follow the capabilities that earn. */
const PAYOUTS = [
  { from: 'merchant.card_payments', to: 'merchant.service_balance.payouts' },
  { from: 'recipient.service_balance.service_transfers', to: 'recipient.service_balance.payouts' },
] as const;

function withPayouts(
  statuses: readonly (readonly [string, CapabilityStatus])[],
): (readonly [string, CapabilityStatus])[] {
  const following = PAYOUTS.flatMap(({ from, to }) => {
    const source = statuses.find(([name]) => name === from);
    return source === undefined ? [] : [[to, source[1]] as const];
  });
  return [...statuses, ...following];
}
