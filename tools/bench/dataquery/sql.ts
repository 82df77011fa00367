/** What one would write by hand: bare Fastify, one prepared SQL statement per route, node-postgres' pool. */
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { requests } from './requests.js';

const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 10 });
const app = fastify();
for (const [at, { sql, parameters, method = 'GET' }] of requests.entries()) {
  app.route<{ Params: { value: string } }>({ method, url: `/${at}/:value`, handler });

  async function handler(
    request: FastifyRequest<{ Params: { value: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const value = Number(request.params.value);
    const { rows } = await pool.query<{ body: string; count?: string }>({
      name: `request-${at}`,
      text: sql,
      values: [...(parameters?.(value) ?? [value])],
    });
    if (rows[0]?.count !== undefined) reply.header('content-range', `*/${rows[0].count}`);
    return reply.type('application/json; charset=utf-8').send(rows[0]?.body);
  }
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
