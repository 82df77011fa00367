/** The steps of an account, and which comes next. A function of the account and the time. */
import { isConnected, type AccountState } from '../account/state.js';
import type { LinkOptions } from '../links/schema.js';
import { askedOf, type Asked } from '../requirements/engine.js';
import { COUNTRIES } from '../tables/countries.js';
import { BASICS, groupsOf, isAsked, type Group, type Place } from './fields.js';

export const STEPS = ['basics', 'details', 'persons', 'review'] as const;
export type Step = (typeof STEPS)[number];

export interface Plan {
  readonly place: Place;
  readonly steps: readonly Step[];
  /** The first incomplete step; the review if there is none. */
  readonly next: Step;
  /** Inputs of the details step. */
  readonly groups: readonly Group[];
  readonly asked: readonly Asked[];
  /** Roles whose completeness the account's people confirm. */
  readonly attestations: readonly ('owners' | 'directors')[];
  /** Whether the terms of service are accepted at the end. */
  readonly asksTerms: boolean;
  /** All countries. */
  readonly countries: readonly string[];
  /** Missing paths that the page has no input for. */
  readonly elsewhere: readonly string[];
}

export function planOf(state: AccountState, options: LinkOptions, now: number): Plan {
  const place = placeOf(state);
  const asked = askedOf(state, now).filter((one) => isCollected(one, options));
  const own = asked.filter(({ ofPersons }) => !ofPersons);
  const persons = asked.filter(({ ofPersons }) => ofPersons);
  const groups = groupsOf(
    own.map(({ path }) => path),
    place,
  );
  const missing: Record<Step, boolean> = {
    basics: own.some(({ path, isMissing }) => isMissing && BASICS.includes(path)),
    details: own.some(({ path, isMissing }) => isMissing && isAsked(path) && !BASICS.includes(path)),
    persons: persons.some(({ isMissing }) => isMissing),
    review: true,
  };
  const has: Record<Step, boolean> = {
    basics: missing.basics || (state.activated_at === undefined && own.some(isOfBasics)),
    details: groups.length > 0,
    persons: persons.length > 0,
    review: true,
  };
  const steps = STEPS.filter((step) => has[step]);
  return {
    place,
    steps,
    next: steps.find((step) => missing[step]) ?? 'review',
    groups,
    asked,
    attestations: (['owners', 'directors'] as const).filter((name) =>
      persons.some(({ path }) => path === `identity.attestations.persons_provided.${name}`),
    ),
    asksTerms: isConnected(state) && state.identity?.attestations?.terms_of_service?.account === undefined,
    countries: COUNTRIES,
    elsewhere: own
      .filter(({ path, isMissing }) => isMissing && !isAsked(path) && !isTerms(path))
      .map(({ path }) => path),
  };
}

function placeOf({ identity }: AccountState): Place {
  return { country: identity?.country?.toUpperCase(), entityType: identity?.entity_type };
}

function isOfBasics({ path }: Asked): boolean {
  return BASICS.includes(path);
}

function isCollected({ deadline, isFuture }: Asked, { collection_options: wanted }: LinkOptions): boolean {
  if (isFuture) return wanted?.future_requirements === 'include';
  return deadline !== 'eventually_due' || wanted?.fields === 'eventually_due';
}

/** Accepted at the end. */
function isTerms(path: string): boolean {
  return path === 'identity.attestations.terms_of_service.account';
}
