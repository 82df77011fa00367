/** Tokens over the interface: of accounts, and of persons. */
import { idFrom } from '../account/id.js';
import { Refused } from '../errors/errors.js';
import type { IdempotencyRecords } from '../idempotency/records.js';
import type { Platform } from '../platform/platforms.js';
import type { AccountToken, AccountTokens, TokenUse } from '../tokens/account-tokens.js';
import type { Answer, Caller } from './caller.js';

/** With an idempotency key the token's id is derived from it, so that a repeated request makes one token. */
export class TokenService {
  readonly #tokens: AccountTokens;
  readonly #records: IdempotencyRecords;

  constructor(tokens: AccountTokens, records: IdempotencyRecords) {
    this.#tokens = tokens;
    this.#records = records;
  }

  async create({ platform, request }: Caller, use: TokenUse, payload: object): Promise<Answer> {
    const origin = request && { id: idFrom(request.id), fingerprint: this.#records.fingerprint(request) };
    const { token, isNew, fingerprint } = await this.#tokens.create(platform.id, use, payload, origin);
    if (request !== undefined && fingerprint !== null) this.#records.assertSame(request, fingerprint);
    return { text: answerOf(token, use, platform), replayed: !isNew };
  }

  async retrieve(platform: Platform, use: TokenUse, id: string): Promise<string> {
    const token = await this.#tokens.find(platform.id, use, id);
    if (token === undefined)
      throw new Refused({ code: 'not_found', message: `there is no ${use.of} token "${id.slice(0, 200)}"` });
    return answerOf(token, use, platform);
  }
}

function answerOf(
  { id, created, expiresAt, used }: AccountToken,
  { of }: TokenUse,
  { livemode }: Platform,
): string {
  return JSON.stringify({
    id,
    object: of === 'account' ? 'v2.core.account_token' : 'v2.core.account_person_token',
    created: created.toISOString(),
    expires_at: expiresAt.toISOString(),
    livemode,
    used,
  });
}
