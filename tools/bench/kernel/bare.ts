/**
 * The route on Fastify as it comes. With the argument `packages` it also loads the packages that Plugboard starts
 * with, and registers those that are Fastify's, so that a cold start compares like with like.
 */
import { fastify } from 'fastify';
import { answer, authenticate, itemSchema, type Item } from './item.js';

const app = fastify();
if (process.argv[2] === 'packages') await loadPackages();
app.post<{ Body: Item }>('/items', { schema: { body: itemSchema }, onRequest: authenticate }, (request) =>
  answer(request.body),
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGTERM', () => void app.close());

/** Found in the root's node_modules: they are Plugboard's dependencies and not the bench's. */
async function loadPackages(): Promise<void> {
  await import('reflect-metadata');
  const others = ['ajv', 'ajv-formats', 'import-meta-resolve', 'pino', 'tsyringe', 'typebox', 'yaml'];
  for (const name of others) await import(name);
}
