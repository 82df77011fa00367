/** Conversations over HTTP, at the paths that each vendor's clients ask. */
import type { Reply, Request, Routes } from 'plugboard/sdk';
import type { Json } from './dialects/dialect.js';
import { stateMember } from './dialects/responses/request-in.js';
import { callOptions, converse, talkOf, type Asked } from './conversation-parts.js';
import { countTokens } from './count-tokens.js';
import { errors } from './errors.js';
import { callOf, type RouteParts } from './route-parts.js';
import { ChatBody, DeploymentBody, MessagesBody, ResponsesBody } from './bodies.js';

/** `prefixes`: the bases of OpenAI's API. */
export function conversationRoutes(app: Routes, prefixes: readonly string[], parts: RouteParts): void {
  const { auth } = parts;
  const options = callOptions(parts, 'chat');
  const answer = (request: Request, reply: Reply, asked: Asked): Promise<Reply> =>
    converse(parts, request, reply, asked);
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
}

const STREAMS =
  'The model is `upstream/model` or the name of a route. With `stream: true` the answer is a stream of events.';
const COMPLETIONS = '/chat/completions';
