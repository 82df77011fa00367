/** The interface of account links. */
import { randomBytes } from 'node:crypto';
import type { Secrets } from 'plugboard/sdk';
import { appliedOf } from '../account/state.js';
import { Refused } from '../errors/errors.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { IdempotencyRecords } from '../idempotency/records.js';
import type { Answer, Caller } from '../service/caller.js';
import { notFound } from '../service/path-id.js';
import { stateOf, type AccountStore } from '../service/store.js';
import { optionsOf, useCaseOf } from './link.js';
import type { LinkBody } from './schema.js';
import type { LinkStore } from './store.js';

export interface LinkParts {
  readonly links: LinkStore;
  readonly store: AccountStore;
  readonly fixtures: Fixtures;
  readonly records: IdempotencyRecords;
  readonly secrets: Secrets;
}

export class Links {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /**
   * With an idempotency key, the key of the link is derived from it: the same request returns the same link, and the
   * store holds no key. `urlOf` makes the URL.
   */
  async create(caller: Caller, body: LinkBody, urlOf: (key: string) => string): Promise<Answer> {
    const { platform, request } = caller;
    const { records, links, secrets } = this.#parts;
    const { account, use_case: useCase } = body;
    await this.#assertUsable(caller, body);
    const key =
      request === undefined
        ? randomBytes(32).toString('base64url')
        : (secrets.mac(request.id, 'account_link').split('.').at(-1) ?? '');
    const fingerprint = request === undefined ? null : records.fingerprint(request);
    const { link, isNew } = await links.create({
      key,
      platform: platform.id,
      account,
      useCase,
      fingerprint,
    });
    if (request !== undefined && link.fingerprint !== null) records.assertSame(request, link.fingerprint);
    const text = JSON.stringify({
      object: 'v2.core.account_link',
      account: link.account,
      created: link.createdAt.toISOString(),
      expires_at: link.expiresAt.toISOString(),
      livemode: platform.livemode,
      url: urlOf(key),
      use_case: useCaseOf(link),
    });
    return { text, replayed: !isNew };
  }

  async #assertUsable({ platform }: Caller, { account: id, use_case: useCase }: LinkBody): Promise<void> {
    const options = optionsOf(useCase);
    if (options === undefined)
      throw invalid(`use_case.${useCase.type} is required where use_case.type names it`);
    const [other] = Object.keys(useCase).filter((name) => name !== 'type' && name !== useCase.type);
    if (other !== undefined)
      throw invalid(`use_case.${other} is not for a use case of type "${useCase.type}"`);
    for (const name of ['refresh_url', 'return_url'] as const)
      if (options[name] !== undefined && !isWebUrl(options[name], platform.livemode))
        throw invalid(
          `use_case.${useCase.type}.${name} must be a URL with ${platform.livemode ? 'https' : 'http or https'} and without a password`,
        );
    const document = await this.#parts.store.find(platform.id, id);
    if (document === null) throw await notFound(this.#parts.fixtures, platform.id, id);
    if (document.closed) throw new Refused({ code: 'account_closed', message: 'the account is closed' });
    const applied = appliedOf(stateOf(document));
    const { configurations } = options;
    if (configurations !== undefined && [...new Set(configurations)].toSorted().join() !== applied.join())
      throw new Refused({
        code: 'configs_must_match_to_use_account_links',
        message: `use_case.${useCase.type}.configurations must name all that the account has: ${applied.join(', ') || 'none'}`,
        extra: { applied_configurations: applied },
      });
  }
}

/** The person's browser goes there, not this server: names local to the caller's machine are fine. */
function isWebUrl(text: string, livemode: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const fits = protocol === 'https:' || (protocol === 'http:' && !livemode);
  return fits && username === '' && password === '';
}

function invalid(message: string): Refused {
  return new Refused({ code: 'invalid_fields', message });
}
