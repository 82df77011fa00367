/** `/mcp`: memories as tools of a model, over streamable HTTP. */
import {
  goneSignal,
  limited,
  ownerOf,
  Type,
  type Auth,
  type RateLimitCategory,
  type Routes,
} from 'plugboard/sdk';
import { errors } from '../../engine/base/errors.js';
import { SCOPE } from '../chat/recall.js';
import type { MemoryMcp } from './server.js';

export interface McpRoutes {
  readonly auth: Auth;
  readonly limit: RateLimitCategory | undefined;
  readonly mcp: MemoryMcp;
}

const JsonRpc = Type.Object(
  { jsonrpc: Type.Literal('2.0'), method: Type.String() },
  {
    title: 'McpRequest',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    description: 'One request, notification or answer; a batch is refused.',
  },
);

/** Milliseconds per tool call. */
const TIMEOUT = 60_000;

export function mcpRoutes(app: Routes, { auth, limit, mcp }: McpRoutes): void {
  const hooks = limited(auth.guard('bearer', { scope: SCOPE }), limit);
  for (const [at, url] of ['/mcp', '/mcp/'].entries())
    app.post(
      url,
      {
        ...hooks,
        config: { hidden: at > 0 },
        schema: { summary: 'Memories as tools, for clients of MCP', tags: ['mcp'], body: JsonRpc },
      },
      async (request, reply) => {
        const principal = auth.principal(request);
        const owner = ownerOf(principal);
        const reach = principal.kind === 'person' ? { owner, user: principal.id } : { owner };
        const { method, headers, body } = request;
        const signal = AbortSignal.any([goneSignal(reply), AbortSignal.timeout(TIMEOUT)]);
        const asked = new Request('http://localhost/mcp', {
          method,
          headers: ownHeaders(headers),
          body: JSON.stringify(body),
          signal,
        });
        const answer = await mcp.answer(asked, body, { reach, principal });
        const text = await answer.text().catch((error: unknown) => {
          throw signal.aborted ? errors.mcp_unanswered({ cause: error }) : error;
        });
        for (const [name, value] of answer.headers) void reply.header(name, value);
        return reply.code(answer.status).send(text);
      },
    );
}

/** The protocol's own headers; credentials are not passed on. */
function ownHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(?:accept|content-type|mcp-[a-z-]+)$/.test(name) ? [[name, value]] : [],
    ),
  );
}
