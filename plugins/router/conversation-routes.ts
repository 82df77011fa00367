/** Conversations over HTTP, at the paths that each vendor's clients ask. */
import { limited, type Reply, type Request, type Routes } from 'plugboard/sdk';
import type { Json } from './dialects/dialect.js';
import { Conversation } from './dialects/conversation.js';
import type { DialectName } from './dialects/neutral.js';
import { stateMember } from './dialects/responses/request-in.js';
import { RequestBody } from './call/request-body.js';
import { countTokens } from './count-tokens.js';
import { adoptKey } from './credentials.js';
import { errors } from './errors.js';
import { callOf, sendEvents, sendJson, type RouteParts } from './route-parts.js';
import { ChatBody, ContentBody, DeploymentBody, MessagesBody, ResponsesBody } from './bodies.js';

interface Asked {
  readonly client: DialectName;
  readonly model: string;
  readonly stream: boolean;
  readonly purpose: string;
}

/** `prefixes`: the bases of OpenAI's API. */
export function conversationRoutes(app: Routes, prefixes: readonly string[], parts: RouteParts): void {
  const { auth, limit, maxBodyBytes } = parts;
  const { onRequest, ...guarded } = limited(auth.guard('bearer', { scope: 'chat' }), limit);
  const options = {
    ...guarded,
    onRequest: [adoptKey, ...[onRequest].flat()],
    config: { keepBodyText: true },
    bodyLimit: maxBodyBytes,
  };
  const chat = (request: Request, reply: Reply): Promise<Reply> => {
    const { model, stream } = request.body as { model: string; stream?: boolean | null };
    return answer(request, reply, {
      client: 'chat',
      model,
      stream: stream === true,
      purpose: 'chat.completions',
    });
  };
  const respond = (request: Request, reply: Reply): Promise<Reply> => {
    const body = request.body as Json & { model: string; stream?: boolean | null };
    const param = stateMember(body);
    if (param !== undefined) throw errors.stateless({ values: { param }, param });
    const asked = {
      client: 'responses',
      model: body.model,
      stream: body.stream === true,
      purpose: 'responses',
    } as const;
    return answer(request, reply, asked);
  };
  const chatSchema = { summary: 'Complete a chat', description: STREAMS, body: ChatBody };
  const responsesSchema = { summary: 'Make a response', description: STREAMS, body: ResponsesBody };
  for (const prefix of prefixes) {
    app.post(`${prefix}/chat/completions`, { ...options, schema: chatSchema }, chat);
    app.post(`${prefix}/responses`, { ...options, schema: responsesSchema }, respond);
  }
  app.post('/openai/responses', { ...options, schema: responsesSchema }, respond);

  for (const prefix of ['/v1', '/api/v1']) {
    app.post(
      `${prefix}/messages`,
      { ...options, schema: { summary: 'Make a message', description: STREAMS, body: MessagesBody } },
      (request, reply) => {
        const { model, stream } = request.body;
        return answer(request, reply, {
          client: 'anthropic',
          model,
          stream: stream === true,
          purpose: 'messages',
        });
      },
    );
    app.post(
      `${prefix}/messages/count_tokens`,
      {
        ...options,
        config: { ...options.config, readOnly: true },
        schema: { summary: 'Count the tokens of a message', body: MessagesBody },
      },
      (request, reply) =>
        countTokens(
          parts,
          talkOf(request, { client: 'anthropic', model: request.body.model, stream: false }),
          {
            call: callOf(auth, request, reply, 'messages.count_tokens'),
            reply,
          },
        ),
    );
  }

  app.post<{ Params: { '*': string } }>(
    '/v1beta/models/*',
    {
      ...options,
      schema: {
        summary: 'Generate content',
        description:
          'The path ends with `MODEL:generateContent`, or with `MODEL:streamGenerateContent` and the query `alt=sse` for a stream of events.',
        body: ContentBody,
      },
    },
    (request, reply) => {
      const path = request.params['*'];
      const colon = path.lastIndexOf(':');
      const [model, action] = [path.slice(0, colon), path.slice(colon + 1)];
      const asked = { client: 'gemini', model, purpose: 'generate_content' } as const;
      if (colon > 0 && action === 'generateContent')
        return answer(request, reply, { ...asked, stream: false });
      if (colon <= 0 || action !== 'streamGenerateContent')
        throw errors.unknown_action({ values: { action: path.slice(-100) } });
      if ((request.query as { alt?: unknown }).alt !== 'sse')
        throw errors.invalid_request({
          values: { message: 'alt must be "sse": a stream is one of events' },
          param: 'alt',
        });
      return answer(request, reply, { ...asked, stream: true });
    },
  );

  // Azure's clients name the deployment in the path.
  app.post<{ Params: { '*': string } }>(
    '/openai/deployments/*',
    {
      ...options,
      schema: {
        summary: 'Complete a chat with the deployment that the path names',
        description: 'The path ends with `DEPLOYMENT/chat/completions`.',
        body: DeploymentBody,
      },
    },
    (request, reply) => {
      const path = request.params['*'];
      if (!path.endsWith(COMPLETIONS)) throw errors.unknown_action({ values: { action: path.slice(-100) } });
      const model = path.slice(0, -COMPLETIONS.length);
      const { stream } = request.body as { stream?: boolean | null };
      return answer(request, reply, {
        client: 'chat',
        model,
        stream: stream === true,
        purpose: 'chat.completions',
      });
    },
  );

  async function answer(request: Request, reply: Reply, { purpose, ...asked }: Asked): Promise<Reply> {
    const talk = talkOf(request, asked);
    const call = callOf(auth, request, reply, purpose);
    const { conversations } = parts.router;
    if (!asked.stream) {
      const answered = await conversations.answer(talk, call);
      return sendJson(omitting(reply, talk), answered);
    }
    const render = (error: Parameters<typeof parts.renderError>[0]): string =>
      parts.renderError(error, request);
    const answered = await conversations.stream(talk, call, render);
    return sendEvents(omitting(reply, talk), answered);
  }
}

const STREAMS =
  'The model is `upstream/model` or the name of a route. With `stream: true` the answer is a stream of events.';
const COMPLETIONS = '/chat/completions';

function talkOf(request: Request, asked: Omit<Asked, 'purpose'>): Conversation {
  const body = request.body as Json;
  // The model that the path names is the one that is called, whatever the body says.
  const isSame = asked.client === 'gemini' || body['model'] === asked.model;
  const value = isSame ? body : { ...body, model: asked.model };
  return new Conversation({ ...asked, body: new RequestBody(value, isSame ? request.bodyText : undefined) });
}

function omitting(reply: Reply, { omitted }: Conversation): Reply {
  return omitted.size === 0
    ? reply
    : reply.header('x-plugboard-omitted', [...omitted].slice(0, 20).join(', '));
}
