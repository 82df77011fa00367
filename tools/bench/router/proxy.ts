/**
 * The smallest proxy that does the job of one call: Fastify parses the body, undici sends it on, the answer goes back
 * as it comes. No keys, no records, no second upstream: `node proxy.js UPSTREAM`.
 */
import Fastify from 'fastify';
import { Pool } from 'undici';

const [upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: null });
const app = Fastify();

app.post<{ Body: { stream?: boolean } }>('/v1/chat/completions', async (request, reply) => {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: request.url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  reply.code(statusCode).header('content-type', headers['content-type']);
  return reply.send(request.body.stream === true ? body : await body.text());
});

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
