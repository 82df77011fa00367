/** What the routes of conversations have in common. */
import { limited, type Reply, type Request } from 'plugboard/sdk';
import { RequestBody } from './call/request-body.js';
import { adoptKey } from './credentials.js';
import { Conversation } from './dialects/conversation.js';
import type { Json } from './dialects/dialect.js';
import type { ClientName } from './dialects/neutral.js';
import { callOf, sendEvents, sendJson, type RouteParts } from './route-parts.js';

export interface Asked {
  readonly client: ClientName;
  readonly model: string;
  readonly stream: boolean;
  readonly purpose: string;
}

/** Of a route that calls a model, from whichever vendor's client. */
export function callOptions({ auth, limit, maxBodyBytes }: RouteParts, scope: string) {
  const { onRequest, ...guarded } = limited(auth.guard('bearer', { scope }), limit);
  return {
    ...guarded,
    onRequest: [adoptKey, ...[onRequest].flat()],
    config: { keepBodyText: true },
    bodyLimit: maxBodyBytes,
  };
}

export async function converse(
  parts: RouteParts,
  request: Request,
  reply: Reply,
  { purpose, ...asked }: Asked,
): Promise<Reply> {
  const talk = talkOf(request, asked);
  const call = callOf(parts.auth, request, reply, purpose);
  const { conversations } = parts.router;
  if (!asked.stream) {
    const answered = await conversations.answer(talk, call);
    return sendJson(omitting(reply, talk), answered);
  }
  const render = (error: Parameters<typeof parts.renderError>[0]): string =>
    parts.renderError(error, request);
  const answered = await conversations.stream(talk, call, render);
  return sendEvents(omitting(reply, talk), answered, talk.client.streamType);
}

export function talkOf(request: Request, asked: Omit<Asked, 'purpose'>): Conversation {
  const body = request.body as Json;
  // The model in the path takes precedence over the body's.
  const isSame = asked.client === 'gemini' || body['model'] === asked.model;
  const value = isSame ? body : { ...body, model: asked.model };
  return new Conversation({ ...asked, body: new RequestBody(value, isSame ? request.bodyText : undefined) });
}

function omitting(reply: Reply, { omitted }: Conversation): Reply {
  return omitted.size === 0
    ? reply
    : reply.header('x-plugboard-omitted', [...omitted].slice(0, 20).join(', '));
}
