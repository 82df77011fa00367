/** What a rule judges: one request to create or update an account, with all relevant facts. */
import { readCapabilities } from '../account/capability-names.js';
import { controllerOf, type Controller } from '../account/controller.js';
import { mergeAccount } from '../account/merge.js';
import { appliedOf, EMPTY, type AccountState } from '../account/state.js';
import type { Refusal } from '../errors/errors.js';
import type { References } from '../fixtures/references.js';
import type { Platform } from '../platform/platforms.js';
import type { AccountBody } from '../schema/bodies.js';
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';

export interface Attempt {
  readonly operation: 'create' | 'update';
  /** Of the account that is updated. */
  readonly accountId: string | undefined;
  readonly platform: Platform;
  /** Epoch milliseconds, by the account's test clock if it has one. */
  readonly now: number;
  readonly body: AccountBody;
  /** The body came by account token. */
  readonly byToken: boolean;
  /** Sent by the account's own people, on the page of an account link. */
  readonly hosted: boolean;
  readonly before: AccountState;
  readonly after: AccountState;
  /** Configurations that the request adds or reactivates. */
  readonly added: readonly ConfigurationName[];
  /** In use after the request. */
  readonly applied: readonly ConfigurationName[];
  readonly controller: Controller | undefined;
  readonly controllerBefore: Controller | undefined;
  /** The request's changes of capabilities: `{ name: 'merchant.card_payments', wanted: true }`. */
  readonly asked: readonly { readonly name: string; readonly wanted: boolean }[];
  readonly references: References;
}

/** Pure: the refusal of an attempt, or undefined. */
export type Rule = (attempt: Attempt) => Refusal | undefined;

export type AttemptInput = Pick<Attempt, 'accountId' | 'platform' | 'now' | 'body' | 'byToken' | 'hosted'> & {
  /** Undefined for a new account. */
  readonly before: AccountState | undefined;
  readonly references: References;
};

export function attemptOf(input: AttemptInput): Attempt {
  const { before = EMPTY, body, now } = input;
  const after = mergeAccount(before, body, new Date(now));
  return {
    ...input,
    operation: input.before === undefined ? 'create' : 'update',
    before,
    after,
    added: CONFIGURATIONS.filter(
      (name) => after.configuration[name]?.applied != null && before.configuration[name]?.applied == null,
    ),
    applied: appliedOf(after),
    controller: controllerOf(after),
    controllerBefore: controllerOf(before),
    asked: askedOf(body),
  };
}

function askedOf({ configuration }: AccountBody): { name: string; wanted: boolean }[] {
  const asked: { name: string; wanted: boolean }[] = [];
  for (const name of CONFIGURATIONS)
    for (const [capability, wanted] of Object.entries(readCapabilities(configuration?.[name]?.capabilities)))
      if (wanted !== undefined) asked.push({ name: `${name}.${capability}`, wanted });
  return asked;
}

/** The first refusal in the order of the rules. */
export function firstRefusal(rules: readonly Rule[], attempt: Attempt): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule(attempt);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Whether the request adds a merchant or a recipient. */
export function addsConnected({ added }: Attempt): boolean {
  return added.some((name) => name !== 'customer');
}

/** The resulting country in capitals, as in all tables. */
export function countryOf({ after }: Attempt): string | undefined {
  return after.identity?.country?.toUpperCase();
}
