/** How event destinations are told: thin events with the signature that the SDKs of this interface check. */
import { createHmac } from 'node:crypto';
import type { ChangeForm } from 'plugboard/sdk';
import { thin } from './event.js';

export const thinEvents: ChangeForm = {
  body: ({ id, type, subject, at, data }) =>
    JSON.stringify(
      thin({ _id: id, type, subject, created: at }, (data as { readonly livemode: boolean }).livemode),
    ),
  /** HMAC-SHA256 of `t.body` with the whole text of the secret; a blank after the comma would not be read. */
  message({ secret, at, body }) {
    const t = Math.floor(at / 1_000);
    const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${t},v1=${v1}`,
    };
    return { headers, body };
  },
};
