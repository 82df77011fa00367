/** A poll on Fastify as it comes: one tag, one comparison, one header. */
import { fastify } from 'fastify';

const TAG = '"0123456789abcdefghijklmnopq"';
const app = fastify();
app.get('/users/:username/events', (request, reply) => {
  reply.header('etag', TAG);
  if (request.headers['if-none-match'] !== TAG) return reply.send([]);
  return reply.code(304).send();
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
