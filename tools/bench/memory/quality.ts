/**
 * How much of the known evidence the previews find, over HTTP: conversations turn by turn as episodic entries, one
 * owner a conversation, each with no model, with a small static one (`--static DIR`) and with a sentence encoder
 * (`--encoder DIR`: DIR/all-MiniLM-L6-v2 is a directory as the `transformers` source wants it, and
 * @huggingface/transformers must be installed).
 */
import { MODELS } from 'plugboard/sdk';
import { bootTest, fake, type TestServer } from 'plugboard/testing';
import type * as Memory from '../../../dist/plugins/memory/index.js';
import type * as Transformers from '../../../dist/plugins/memory/engine/embedding/transformers.js';
import type { Bench } from '../context.js';
import type { Figures } from '../table.js';
import { conversationSets, type Conversation } from './conversation.js';
import { cachedModels } from './vector-cache.js';

const plugin = new URL('../../../../dist/plugins/memory/', import.meta.url);
const ENCODER = 'all-MiniLM-L6-v2';
const STRATEGIES = ['exact', 'semantic', 'hybrid'];

interface Mode {
  readonly name: string;
  readonly config: object;
  readonly settings: object;
}

export default async function run(bench: Bench): Promise<void> {
  const { static: staticModelDir, encoder: encoderDirectory } = bench.options;
  const modes: Mode[] = [{ name: 'no model', config: {}, settings: {} }];
  if (staticModelDir !== undefined) modes.push({ name: 'static', config: { staticModelDir }, settings: {} });
  if (encoderDirectory !== undefined)
    modes.push({
      name: ENCODER,
      config: {},
      settings: { embeddingSource: 'remote', embeddingProviderModel: `bench/${ENCODER}` },
    });
  const models = encoderDirectory === undefined ? undefined : await encoder(encoderDirectory);
  const sets = conversationSets().filter(([name]) => bench.wants(name));
  const { default: memory } = (await import(new URL('index.js', plugin).href)) as typeof Memory;
  for (const mode of modes) {
    const server = await bootTest({
      plugins: [{ plugin: memory, config: mode.config }],
      provide: models === undefined ? [] : [fake(MODELS, models)],
    });
    bench.onEnd(() => server.stop());
    const call = await caller(server);
    await call('PUT', '/api/settings/memory', mode.settings);
    for (const [, conversations] of sets)
      for (const conversation of conversations) await remember(call, conversation);
    await embedded(call);
    const sides = STRATEGIES.map((strategy) => ({ name: `${mode.name}, ${strategy}`, strategy }));
    for (const [name, conversations] of sets)
      await bench.compare({
        what: name,
        sides,
        once: true,
        measure: ({ strategy }) => score(call, conversations, strategy),
      });
  }
}

type Call = <T = unknown>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<T>;

async function caller(server: TestServer): Promise<Call> {
  const url = await server.listen();
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await server.key('manage')}`,
  };
  return async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
}

/** One after another: the order of a session is that of its entries' creation. */
async function remember(call: Call, { name, turns }: Conversation): Promise<void> {
  for (const { id, session, text } of turns) {
    await call('POST', '/api/memory', {
      apiKeyId: name,
      key: id,
      content: text,
      type: 'episodic',
      sessionId: session,
    });
  }
}

async function embedded(call: Call): Promise<void> {
  interface Status {
    readonly vectorStore: { readonly needsReindex: number };
  }
  while ((await call<Status>('GET', '/api/memory/engine-status')).vectorStore.needsReindex > 0) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The share of a question's evidence among the first ten and the first five. */
async function score(call: Call, conversations: readonly Conversation[], strategy: string): Promise<Figures> {
  let asked = 0;
  const sums = { ten: 0, five: 0 };
  for (const { name, questions } of conversations) {
    for (const { question, evidence } of questions) {
      const { memories } = await call<{ memories: { key: string }[] }>(
        'POST',
        '/api/memory/retrieve-preview',
        { query: question, strategy, apiKeyId: name, limit: 10, maxTokens: 16_000 },
      );
      const found = memories.map(({ key }) => key);
      const share = (most: number): number =>
        evidence.filter((id) => found.slice(0, most).includes(id)).length / evidence.length;
      sums.ten += share(10);
      sums.five += share(5);
      asked += 1;
    }
  }
  return { 'recall@10, %': (100 * sums.ten) / asked, 'recall@5, %': (100 * sums.five) / asked };
}

async function encoder(modelsDirectory: string): Promise<ReturnType<typeof cachedModels>> {
  const { loadTransformers } = (await import(
    new URL('engine/embedding/transformers.js', plugin).href
  )) as typeof Transformers;
  let loaded: ReturnType<typeof loadTransformers> | undefined;
  return cachedModels(`bench/${ENCODER}`, async (texts) => {
    loaded ??= loadTransformers({ modelsDirectory, model: ENCODER, precision: 'fp32' });
    return (await loaded).embedDocuments(texts);
  });
}
