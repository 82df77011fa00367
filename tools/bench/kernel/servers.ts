/** The same small authenticated JSON route, on Plugboard and on bare Fastify; each runs in a process of its own. */
import { createHash } from 'node:crypto';
import { fastify } from 'fastify';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

const Body = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    count: Type.Integer({ minimum: 0 }),
    tags: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
/** What an authentication costs at least: the hash of the key, and a look-up. */
const keys = new Map([[hash('a-key'), { id: 'one', scopes: ['read'] }]]);

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function authenticate(header: string | undefined): void {
  if (header === undefined || !keys.has(hash(header.slice('Bearer '.length)))) throw new Error('401');
}

function answer(body: { name: string; count: number; tags: string[] }) {
  return { id: 1, name: body.name, total: body.count + body.tags.length, tags: body.tags };
}

async function plugboard(): Promise<string> {
  const plugin = definePlugin({
    name: 'bench',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      routes: (app) => {
        const onRequest = async (request: { headers: { authorization?: string | undefined } }) =>
          authenticate(request.headers.authorization);
        app.post('/items', { schema: { body: Body }, onRequest }, (request) => answer(request.body));
      },
    }),
  });
  return (await bootTest({ plugins: [{ plugin }] })).listen();
}

async function bare(): Promise<string> {
  const app = fastify();
  const onRequest = async (request: { headers: { authorization?: string | undefined } }) =>
    authenticate(request.headers.authorization);
  app.post('/items', { schema: { body: Body }, onRequest }, (request) => answer(request.body as never));
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const url = await (process.argv[2] === 'plugboard' ? plugboard() : bare());
process.stdout.write(`${url}\n`);
