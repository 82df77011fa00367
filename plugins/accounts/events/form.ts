/** How events are delivered: thin events with the signature that the SDKs of this interface verify. */
import { createHmac } from 'node:crypto';
import type { ChangeForm } from 'plugboard/sdk';
import { thin } from './event.js';

/** Stored with the event: its subject, and the account of a person. */
interface Told {
  readonly id: string;
  readonly account?: string;
  readonly livemode: boolean;
}

export const thinEvents: ChangeForm = {
  body: ({ id: _id, type, at: created, data }) => {
    const { id: subject, account, livemode } = data as Told;
    return JSON.stringify(thin({ _id, type, subject, created, ...(account && { account }) }, livemode));
  },
  /** HMAC-SHA256 of `t.body` with the whole secret; SDKs do not accept a space after the comma. */
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
