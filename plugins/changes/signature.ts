/** Signatures of Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`, keyed by what follows `whsec_`. */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export function newSecret(): string {
  return `${PREFIX}${randomBytes(24).toString('base64')}`;
}

/** The headers of one attempt; `at` in milliseconds. */
export function signed(secret: string, id: string, at: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
