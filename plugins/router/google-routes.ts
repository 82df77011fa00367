/** Google's API, of which some clients ask `v1` and others `v1beta`: a path names a model and what it is asked to do. */
import { limited, type Reply, type Request, type Routes } from 'plugboard/sdk';
import { GoogleBody } from './bodies.js';
import { callOptions, converse, talkOf } from './conversation-parts.js';
import { countTokens } from './count-tokens.js';
import { adoptKey } from './credentials.js';
import { contentEmbeddingsCall } from './endpoints/content-embeddings.js';
import { errors } from './errors.js';
import { callOf, sendJson, type RouteParts } from './route-parts.js';

export function googleRoutes(app: Routes, parts: RouteParts): void {
  const options = {
    ...callOptions(parts, 'chat'),
    onRequest: [adoptKey, guardOf(parts)],
    schema: {
      summary: 'Generate content, count its tokens, or embed it',
      description:
        'The path ends with `MODEL:generateContent`, with `MODEL:streamGenerateContent` and the query `alt=sse` for a stream of events, or with `MODEL:countTokens`, `MODEL:embedContent` or `MODEL:batchEmbedContents`.',
      body: GoogleBody,
    },
  };
  for (const path of ['/v1beta/*', '/v1/models/*'])
    app.post<{ Params: { '*': string } }>(path, options, (request, reply) => {
      // Some clients leave `models/` out where a model's name has a slash.
      const asked = request.params['*'].replace(/^models\//, '');
      const colon = asked.lastIndexOf(':');
      if (colon <= 0) throw errors.unknown_action({ values: { action: asked.slice(-100) } });
      const [model, action] = [asked.slice(0, colon), asked.slice(colon + 1)];
      return act(parts, request as Request, reply, { model, action });
    });
}

const EMBEDS = /:(?:embedContent|batchEmbedContents)$/;

/** What a path asks for decides which scope it needs. */
function guardOf({ auth, limit }: RouteParts) {
  const guard = (scope: string | string[]) => limited(auth.guard('bearer', { scope }), limit).onRequest[0]!;
  const [either, chat, embed] = [guard(['chat', 'embeddings']), guard('chat'), guard('embeddings')];
  const byAction: typeof either = function (request, reply, done) {
    const { '*': path } = request.params as { '*': string };
    return (EMBEDS.test(path) ? embed : chat).call(this, request, reply, done);
  };
  return Object.assign(byAction, { ...either });
}

async function act(
  parts: RouteParts,
  request: Request,
  reply: Reply,
  { model, action }: { readonly model: string; readonly action: string },
): Promise<Reply> {
  const asked = { client: 'gemini', model, purpose: 'generate_content' } as const;
  const body = request.body as GoogleBody;
  switch (action) {
    case 'generateContent':
      need(body, 'contents');
      return converse(parts, request, reply, { ...asked, stream: false });
    case 'streamGenerateContent':
      need(body, 'contents');
      if ((request.query as { alt?: unknown }).alt !== 'sse')
        throw errors.invalid_request({
          values: { message: 'alt must be "sse": a stream is one of events' },
          param: 'alt',
        });
      return converse(parts, request, reply, { ...asked, stream: true });
    case 'countTokens':
      need(body, 'contents');
      return countTokens(parts, talkOf(request, { ...asked, stream: false }), {
        call: callOf(parts.auth, request, reply, 'count_tokens'),
        reply,
      });
    case 'embedContent':
      need(body, 'content');
      break;
    case 'batchEmbedContents':
      need(body, 'requests');
      break;
    default:
      throw errors.unknown_action({ values: { action: action.slice(-100) } });
  }
  const call = contentEmbeddingsCall(model, body);
  return sendJson(reply, await parts.router.answer(call, callOf(parts.auth, request, reply, 'embeddings')));
}

function need(body: GoogleBody, name: 'contents' | 'content' | 'requests'): void {
  if (body[name] === undefined)
    throw errors.invalid_request({ values: { message: `the body must have "${name}"` }, param: name });
}
