/** A server with every plugin that has pages, and an upstream: what tests of all pages open. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TestServer } from 'plugboard/testing';
import { bootConsole, builtIn } from './console.js';
import { HOSTILE } from './hostile-data.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      directors: { columns: { id: { type: integer, required: true }, name: { type: text, required: true } }, primaryKey: [id] }
      films:
        columns:
          id: { type: integer, required: true, default: { generated: identity } }
          title: { type: text, required: true }
          note: text
          director_id: integer
        primaryKey: [id]
        foreignKeys: { films_director_id_fkey: { columns: [director_id], references: { relation: directors, columns: [id] } } }
      facts:
        columns: { id: bigint, price: numeric, tags: 'text[]', extra: jsonb, seen: timestamptz, score: real }
        primaryKey: [id]
`;
/** Values that JSON of a browser, or a filter of an address, could bend. */
export const FACT =
  '{"id":9007199254740993,"price":12.3456789012345678901,"tags":["a b","c\\"d,","",null],' +
  '"extra":{"n": 9007199254740995, "list": [1, "x"]},"seen":"2026-01-02T03:04:05.123456+00:00","score":0.1}';
const ROWS = {
  'public.directors': [{ id: 1, name: HOSTILE }],
  'public.films': [
    { title: HOSTILE, note: null, director_id: 1 },
    { title: 'Ran', note: '', director_id: null },
  ],
};

/** What the models know. */
export const CAPITALS = [
  ['Korea', 'Seoul'],
  ['Japan', 'Tokyo'],
  ['France', 'Paris'],
  ['Italy', 'Rome'],
  ['Spain', 'Madrid'],
  ['Peru', 'Lima'],
  ['Egypt', 'Cairo'],
  ['Kenya', 'Nairobi'],
  ['Cuba', 'Havana'],
  ['Nepal', 'Kathmandu'],
] as const;

/** One knows a capital where it is asked for it, two in any case. */
function answerTo(model: string, question: string): string {
  const capital = CAPITALS.find(([country]) => question.includes(country))?.[1];
  if (capital === undefined) return 'Answer briefly.';
  return model === 'two' || question.includes('capital') ? capital : 'a city';
}

/** What a message begins with whose rest is the answer. */
export const SAY = 'Say: ';

/** What the answer is made of. */
function partsOf(model: string, question: string): readonly string[] {
  if (!question.startsWith(SAY)) return ['I ', 'am ', model];
  return question.slice(SAY.length).match(/[^]{1,60}/g) ?? [];
}

/** A model that answers its own name, word by word; `broken` answers 500. */
const upstream = createServer((request, response) => {
  void (async () => {
    let text = '';
    for await (const part of request) text += String(part);
    if (request.url?.endsWith('/models') === true)
      return response.end(JSON.stringify({ data: [{ id: 'one' }, { id: 'two' }] }));
    const { model, stream, messages } = JSON.parse(text) as ChatBody;
    if (model === 'broken') {
      response.statusCode = 500;
      return response.end();
    }
    if (stream !== true) {
      const message = { role: 'assistant', content: answerTo(model, messages?.at(-1)?.content ?? '') };
      const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
    }
    response.setHeader('content-type', 'text/event-stream');
    const event = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    for (const content of partsOf(model, messages?.at(-1)?.content ?? '')) {
      event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
      await setImmediate();
    }
    // The second one goes on until it is stopped.
    if (model === 'two') return undefined;
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 } });
    return response.end('data: [DONE]\n\n');
  })();
});

interface ChatBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly content: string }[];
}

export interface AllPlugins extends AsyncDisposable {
  readonly server: TestServer;
  readonly url: string;
  /** The address of the upstream. */
  readonly upstream: string;
}

/** `rows`: of the tables `public.directors` and `public.films`. `models`: whether there is an upstream. */
export async function bootAll({ rows = ROWS as object, models = true } = {}): Promise<AllPlugins> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-pages-'));
  await writeFile(join(folder, 'catalog.yaml'), CATALOG);
  await writeFile(join(folder, 'rows.json'), JSON.stringify(rows));
  await new Promise<void>((listening) => upstream.listen(0, listening));
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  const configs = {
    router: models && {
      upstreams: [{ name: 'up', baseUrl, apiKey: 'x' }],
      prices: { 'up/one': { input: 1, output: 1 }, 'up/two': { input: 10, output: 10 } },
    },
    playground: {},
    memory: {},
    dataquery: { catalog: 'catalog.yaml', rows: 'rows.json' },
    accounts: {},
    speech: {},
    events: {},
    changes: { allowPrivate: true },
    authorizations: {},
    ratelimit: { categories: { data: { key: 100 } } },
  };
  const plugins = await Promise.all(
    Object.entries(configs).map(async ([id, config]) => ({
      id,
      plugin: await builtIn(id),
      config: config === false ? {} : config,
    })),
  );
  const server = await bootConsole({ plugins, baseDir: folder });
  return {
    server,
    url: await server.listen(),
    upstream: baseUrl,
    async [Symbol.asyncDispose]() {
      await server.stop();
      upstream.closeAllConnections();
      upstream.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
