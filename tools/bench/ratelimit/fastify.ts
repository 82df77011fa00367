/** The same small route twice on Fastify: once behind `@fastify/rate-limit` with its store in memory. */
import rateLimit from '@fastify/rate-limit';
import { fastify } from 'fastify';

const app = fastify();
await app.register(rateLimit, { global: false });
app.get('/open', () => ({ ok: true }));
app.get(
  '/limited',
  {
    config: {
      rateLimit: {
        max: 1_000_000_000,
        timeWindow: '1 minute',
        keyGenerator: (request) => request.headers.authorization ?? '',
      },
    },
  },
  () => ({ ok: true }),
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
