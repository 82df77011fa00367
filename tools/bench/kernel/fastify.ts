/** The route on plain Fastify; with the argument `limited` also `@fastify/rate-limit` with its store in memory. */
import rateLimit from '@fastify/rate-limit';
import { fastify } from 'fastify';
import { answer, authenticate, itemSchema, type Item } from './item.js';

const app = fastify();
if (process.argv[2] === 'limited')
  await app.register(rateLimit, {
    max: 1e9,
    keyGenerator: (request) => request.headers.authorization ?? '',
  });
app.get('/-/live', () => ({ status: 'live' }));
app.post<{ Body: Item }>('/items', { schema: { body: itemSchema }, onRequest: authenticate }, (request) =>
  answer(request.body),
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGTERM', () => void app.close());
