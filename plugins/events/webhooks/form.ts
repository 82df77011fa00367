/** The form of repository hooks: the headers, signatures and two content types of GitHub's webhooks. */
import { createHmac } from 'node:crypto';
import type { ChangeForm, OwnEndpoint } from 'plugboard/sdk';
import { TYPE_PREFIX } from './change.js';
import { webhookPayload, type ToldEvent } from './payload.js';

/** What is stored with the endpoint of a hook. */
export interface HookMore {
  readonly repository: number;
  readonly contentType: 'form' | 'json';
  /** Whether it has a secret. */
  readonly signed: boolean;
  readonly updated: string;
}

export const PING = `${TYPE_PREFIX}ping`;

export const githubWebhooks: ChangeForm = {
  body: ({ type, data }) => JSON.stringify(type === PING ? data : webhookPayload(data as ToldEvent)),
  message({ secret, id, type, body: json }, endpoint) {
    const { contentType, signed } = endpoint.more as HookMore;
    const body = contentType === 'json' ? json : new URLSearchParams({ payload: json }).toString();
    const hmac = (algorithm: string): string =>
      `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;
    const headers = {
      ...plainHeaders(endpoint, { id, type }),
      ...(signed && { 'x-hub-signature': hmac('sha1'), 'x-hub-signature-256': hmac('sha256') }),
    };
    return { headers, body };
  },
};

/** Without the signatures. `id`: of the change. */
export function plainHeaders(
  endpoint: OwnEndpoint,
  { id, type }: { readonly id: string; readonly type: string },
): Record<string, string> {
  const { contentType, repository } = endpoint.more as HookMore;
  return {
    // Receivers recognize webhooks by it.
    'user-agent': 'GitHub-Hookshot/plugboard',
    accept: '*/*',
    'content-type': contentType === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    'x-github-event': type.slice(TYPE_PREFIX.length),
    'x-github-delivery': id,
    'x-github-hook-id': String(numberOf(endpoint.id)),
    'x-github-hook-installation-target-id': String(repository),
    'x-github-hook-installation-target-type': 'repository',
  };
}

/** Clients of this API identify hooks and deliveries by integers: the first 48 bits of a UUID. */
export function numberOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

/** The prefix of ids with this number. */
export function startOf(number: number): string {
  const digits = number.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`;
}
