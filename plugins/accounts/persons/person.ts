/** A person of an account: its representative, an owner, a director, an executive, an authorizer or a legal guardian. */
import type { Document } from 'plugboard/sdk';
import { isObject } from '../account/merge.js';
import { PERSON_ROLES, type PersonSummary, type Present } from '../account/state.js';
import type { PersonBody } from './schema.js';

/** What was set and not cleared. */
export type PersonData = Present<Omit<PersonBody, 'person_token'>>;

export interface PersonDocument extends Document {
  readonly platform: string;
  readonly account: string;
  /** The sealed JSON of a `PersonData`: personal data is not readable in the store. */
  readonly sealed: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Person {
  readonly id: string;
  readonly account: string;
  readonly data: PersonData;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const PERSON_PREFIX = 'person_';

export function summaryOf(id: string, data: PersonData): PersonSummary {
  return {
    id,
    roles: PERSON_ROLES.filter((role) => data.relationship?.[role] === true),
    has: pathsOf(data as Values),
  };
}

type Values = Readonly<Record<string, unknown>>;

/** Paths of all filled members, except the caller's metadata. */
function pathsOf(values: Values, before = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = `${before}${name}`;
    if (path === 'metadata' || value === '' || value === undefined) return [];
    if (Array.isArray(value)) return value.length > 0 ? [path] : [];
    return isObject(value) ? [path, ...pathsOf(value, `${path}.`)] : [path];
  });
}
