/** Fastify as it comes, with one route. */
import { fastify } from 'fastify';

const app = fastify();
app.get('/-/live', () => ({ status: 'live' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
