/** From a request and an account to the new state of the account, or to the refusal. Writes nothing. */
import { newId, type Clock, type Secrets } from 'plugboard/sdk';
import { withoutAliases } from '../account/aliases.js';
import type { AccountDocument, AccountState } from '../account/state.js';
import { accountAnswer } from '../answers/account.js';
import { Refused } from '../errors/errors.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import { readReferences } from '../fixtures/references.js';
import { assess } from '../requirements/engine.js';
import { attemptOf, firstRefusal, type Attempt } from '../rules/attempt.js';
import { RULES } from '../rules/order.js';
import type { PersonStore } from '../persons/store.js';
import type { AccountBody } from '../schema/bodies.js';
import type { Include } from '../schema/enums.js';
import type { TestClocks } from '../test-clocks/test-clocks.js';
import type { AccountTokens, TokenPayload } from '../tokens/account-tokens.js';
import type { Caller } from './caller.js';
import { sealIdNumbers } from './seal.js';

export interface JudgeParts {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly tokens: AccountTokens;
  readonly fixtures: Fixtures;
  readonly testClocks: TestClocks;
  readonly persons: PersonStore;
}

export class Judge {
  readonly #parts: JudgeParts;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** Replaces the body with the contents of its token. */
  async redeem(
    caller: Caller,
    body: AccountBody,
  ): Promise<{ token: string | undefined; payload: AccountBody }> {
    const { account_token: token, include: _, ...rest } = body;
    if (token === undefined) return { token, payload: body };
    const [other] = Object.keys(rest);
    if (other !== undefined)
      throw new Refused({
        code: 'param_alongside_account_token',
        message: `${other} cannot be sent together with account_token`,
      });
    const request = requestId(caller);
    const { platform } = caller;
    return {
      token,
      payload: await this.#parts.tokens.redeem<TokenPayload>(platform.id, token, request, { of: 'account' }),
    };
  }

  async judge(
    caller: Caller,
    document: AccountDocument | undefined,
    payload: AccountBody,
    byToken: boolean,
    before: AccountState | undefined,
  ): Promise<Attempt> {
    const { platform, hosted = false } = caller;
    const body = withoutAliases(payload);
    const accountId = document?._id;
    const references = await readReferences(this.#parts, { platform: platform.id, accountId, body, before });
    const now = references.testClock?.frozenTime.getTime() ?? (await this.now(caller, before));
    const attempt = attemptOf({ platform, accountId, body, byToken, hosted, before, references, now });
    const refusal = firstRefusal(RULES, attempt);
    if (refusal !== undefined) throw new Refused(refusal);
    return attempt;
  }

  /** The state to store: id numbers sealed, persons asked for if the platform wants them, time of activation. */
  finished({ after, now, platform }: Pick<Attempt, 'after' | 'now' | 'platform'>, id: string): AccountState {
    const asked =
      platform.settings.require_persons && after.persons === undefined ? { ...after, persons: [] } : after;
    const sealed = sealIdNumbers(asked, id, this.#parts.secrets);
    if (sealed.activated_at !== undefined) return sealed;
    const isActive = [...assess(sealed, now).capabilities].some(
      ([name, { status }]) => status === 'active' && !name.startsWith('customer.'),
    );
    return isActive ? { ...sealed, activated_at: new Date(now).toISOString() } : sealed;
  }

  async now({ platform }: Pick<Caller, 'platform'>, state: AccountState | undefined): Promise<number> {
    const clock = state?.configuration.customer?.test_clock;
    return clock === undefined ? this.#parts.clock.now() : this.#parts.testClocks.nowOf(platform.id, clock);
  }

  text(
    { _id, createdAt, closed }: Pick<AccountDocument, '_id' | 'createdAt' | 'closed'>,
    state: AccountState,
    now: number,
    { platform }: Pick<Caller, 'platform'>,
    include: readonly Include[],
  ): string {
    const shown = { id: _id, createdAt, closed, livemode: platform.livemode, state, now };
    return JSON.stringify(accountAnswer(shown, include));
  }
}

/** The user of a token: a retry of the same request may use it again. */
export function requestId({ request }: Pick<Caller, 'request'>): string {
  return request?.id ?? newId();
}
