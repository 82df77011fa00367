/** Counts a request's tokens: by the vendor, or by an estimate. */
import type { Reply } from 'plugboard/sdk';
import type { ClientCall } from './conversations.js';
import type { Conversation } from './dialects/conversation.js';
import type { Estimator } from './estimate/estimator.js';
import type { Router } from './service.js';

export async function countTokens(
  { router, estimator }: { readonly router: Router; readonly estimator: Estimator },
  talk: Conversation,
  { call, reply }: { readonly call: ClientCall; readonly reply: Reply },
): Promise<Reply> {
  const counted = await router.conversations.count(talk, call);
  if (counted !== undefined)
    return reply
      .header('x-plugboard-upstream', counted.upstream)
      .type('application/json; charset=utf-8')
      .send(counted.body);
  const { request } = await estimator.estimate({ request: talk.text, answer: null });
  const name = talk.client.name === 'gemini' ? 'totalTokens' : 'input_tokens';
  return reply.header('x-plugboard-estimated', name).send({ [name]: request });
}
