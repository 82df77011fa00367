/**
 * From a request and an account to the new state of a person, or to the refusal. Persons are judged by the rules for
 * the individual of an account: one form of dates, addresses, phone and id numbers for both.
 */
import { merge } from '../account/merge.js';
import { appliedOf, type AccountState } from '../account/state.js';
import { controllerOf } from '../account/controller.js';
import { Refused, type Refusal } from '../errors/errors.js';
import type { References } from '../fixtures/references.js';
import { addressRules } from '../rules/address.js';
import { firstRefusal, type Attempt } from '../rules/attempt.js';
import { contactRules } from '../rules/contact.js';
import { dateRules } from '../rules/dates.js';
import { attestationRules, identityRules } from '../rules/identity.js';
import { idNumberRules } from '../rules/id-numbers.js';
import { metadataRules } from '../rules/metadata.js';
import { personRules } from '../rules/persons.js';
import { registryRules } from '../rules/registries.js';
import type { PersonData } from '../persons/person.js';
import { PERSON_RULES, type PersonAttempt } from '../persons/rules.js';
import type { PersonBody } from '../persons/schema.js';

const INDIVIDUAL_RULES = [
  ...metadataRules,
  ...identityRules,
  ...addressRules,
  ...idNumberRules,
  ...dateRules,
  ...attestationRules,
  ...personRules,
  ...contactRules,
  ...registryRules,
];

const TRANSIENT = new Set(['person_token']);

/** Like the merge of accounts: missing members stay, null clears. */
export function mergePerson(before: PersonData, body: PersonBody): PersonData {
  return merge(before as Values, body as Values, TRANSIENT) as PersonData;
}

type Values = Readonly<Record<string, unknown>>;

export interface PersonJudged extends PersonAttempt {
  readonly accountId: string;
  readonly before: PersonData;
  readonly references: References;
  /** Epoch milliseconds. */
  readonly now: number;
}

export function assertPerson(judged: PersonJudged): void {
  for (const rule of PERSON_RULES) {
    const refusal = rule(judged);
    if (refusal !== undefined) throw new Refused(refusal);
  }
  const refusal = firstRefusal(INDIVIDUAL_RULES, individualOf(judged));
  if (refusal !== undefined) throw new Refused(aboutPerson(refusal));
}

/** The update of an account with the person as its individual, living where the person lives. */
function individualOf({ account, accountId, platform, body, before, after, references, now }: PersonJudged) {
  const country = after.address?.country ?? account.identity?.country;
  const { person_token: _, ...fields } = body;
  const withIndividual = (individual: PersonData): AccountState => ({
    ...account,
    identity: { ...(country !== undefined && { country }), individual },
  });
  const controller = controllerOf(account);
  const attempt: Attempt = {
    operation: 'update',
    accountId,
    platform,
    now,
    body: { identity: { individual: fields } },
    byToken: true,
    hosted: false,
    before: withIndividual(before),
    after: withIndividual(after),
    added: [],
    applied: appliedOf(account),
    controller,
    controllerBefore: controller,
    asked: [],
    references,
  };
  return attempt;
}

/** Parameters of persons have no path prefix. */
function aboutPerson({ message, ...refusal }: Refusal): Refusal {
  return {
    ...refusal,
    message: message.replaceAll('identity.individual.', '').replaceAll('identity.individual', 'the person'),
  };
}
