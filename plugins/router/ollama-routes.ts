/** Ollama's own API, as far as its clients ask a server that holds no models of its own. */
import type { ModelInfo, Reply, Request, Routes } from 'plugboard/sdk';
import { OllamaChatBody, OllamaEmbedBody, OllamaGenerateBody, OllamaShowBody } from './bodies.js';
import { callOptions, converse } from './conversation-parts.js';
import { ollamaEmbeddingsCall } from './endpoints/ollama-embeddings.js';
import { findModel, modelsNow } from './models-list.js';
import { callOf, sendJson, type RouteParts } from './route-parts.js';

/** The version of Ollama's API that this follows: clients check it before they use newer features. */
const VERSION = '0.12.6';

const STREAMS = 'Lines of JSON; with `stream: false` one answer.';

export function ollamaRoutes(app: Routes, parts: RouteParts, readers: readonly string[]): void {
  const { auth, router } = parts;
  const options = callOptions(parts, 'chat');
  const talk = (request: Request, reply: Reply): Promise<Reply> => {
    const { model, stream } = request.body as { model: string; stream?: boolean | null };
    return converse(parts, request, reply, {
      client: 'ollama',
      model,
      stream: stream !== false,
      purpose: 'ollama',
    });
  };
  const chatSchema = {
    summary: "Complete a chat, in Ollama's words",
    description: STREAMS,
    body: OllamaChatBody,
  };
  app.post('/api/chat', { ...options, schema: chatSchema }, talk);
  const generateSchema = {
    summary: "Answer a prompt, in Ollama's words",
    description: STREAMS,
    body: OllamaGenerateBody,
  };
  app.post('/api/generate', { ...options, schema: generateSchema }, talk);

  app.post(
    '/api/embed',
    {
      ...callOptions(parts, 'embeddings'),
      schema: { summary: "Make embeddings of texts, in Ollama's words", body: OllamaEmbedBody },
    },
    async (request, reply) => {
      const call = callOf(auth, request, reply, 'embeddings');
      return sendJson(reply, await router.answer(ollamaEmbeddingsCall(request.body), call));
    },
  );

  const list = auth.guard('bearer', { scope: readers });
  app.get(
    '/api/tags',
    { onRequest: list, schema: { summary: "List the models and routes, in Ollama's words" } },
    async () => ({ models: (await modelsNow(parts)).map(tagOf) }),
  );
  app.post(
    '/api/show',
    {
      onRequest: list,
      config: { readOnly: true },
      schema: { summary: "Read one model, in Ollama's words", body: OllamaShowBody },
    },
    async (request) => shown(await findModel(parts, request.body.model)),
  );
  app.get(
    '/api/version',
    { onRequest: list, schema: { summary: "The version of Ollama's API that is followed" } },
    () => ({ version: VERSION }),
  );
}

/** What only a server with files of models could know is empty. */
function detailsOf({ upstream }: ModelInfo): object {
  const family = upstream ?? 'plugboard';
  return {
    parent_model: '',
    format: '',
    family,
    families: [family],
    parameter_size: '',
    quantization_level: '',
  };
}

function tagOf(model: ModelInfo): object {
  const { id } = model;
  return { name: id, model: id, modified_at: EPOCH, size: 0, digest: '', details: detailsOf(model) };
}

const EPOCH = new Date(0).toISOString();

function shown(model: ModelInfo): object {
  const capabilities = model.kind === 'embedding' ? ['embedding'] : ['completion', 'tools'];
  return {
    modelfile: '',
    parameters: '',
    template: '',
    details: detailsOf(model),
    model_info: {},
    capabilities,
    modified_at: EPOCH,
  };
}
