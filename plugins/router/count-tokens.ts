/** How many tokens a request has: the vendor says it, or it is estimated. */
import type { Reply } from 'plugboard/sdk';
import type { ClientCall } from './conversations.js';
import type { Conversation } from './dialects/conversation.js';
import type { NeutralRequest } from './dialects/neutral.js';
import type { Router } from './service.js';

/** Characters of a token, on average over what models are asked. */
const CHARACTERS = 4;
/** Tokens of a picture or a page, as vendors count them at least. */
const MEDIA = 1_500;

export async function countTokens(
  router: Router,
  talk: Conversation,
  { call, reply }: { readonly call: ClientCall; readonly reply: Reply },
): Promise<Reply> {
  const counted = await router.conversations.count(talk, call);
  if (counted !== undefined)
    return reply
      .header('x-plugboard-upstream', counted.upstream)
      .type('application/json; charset=utf-8')
      .send(counted.body);
  return reply.header('x-plugboard-estimated', 'input_tokens').send({ input_tokens: estimate(talk.neutral) });
}

export function estimate({ system, turns, tools }: NeutralRequest): number {
  let characters = JSON.stringify(tools).length;
  let tokens = 3;
  for (const { text } of system) characters += text.length;
  for (const { parts } of turns) {
    tokens += 4;
    for (const part of parts) {
      if (part.kind === 'image' || part.kind === 'document') tokens += MEDIA;
      else if (part.kind === 'call') characters += part.name.length + part.arguments.length;
      else if (part.kind === 'result')
        for (const one of part.content) {
          if (one.kind === 'text') characters += one.text.length;
          else tokens += MEDIA;
        }
      else characters += part.text.length;
    }
  }
  return tokens + Math.ceil(characters / CHARACTERS);
}
