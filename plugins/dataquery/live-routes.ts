/** Live routes: server-sent events, and the WebSocket of supabase-js. */
import {
  EVENT_STREAM_HEADERS,
  isServiceError,
  limited,
  Type,
  type Guard,
  type Logger,
  type RateLimitCategory,
  type Request,
  type Routes,
  type SlowReaders,
} from 'plugboard/sdk';
import type { Callers } from './caller.js';
import { errors } from './engine/base/errors.js';
import { eventStream } from './front/live/event-stream.js';
import { MAX_PAYLOAD, serveSocket } from './front/live/realtime/websocket.js';
import type { DataService } from './service.js';

export interface LiveParts {
  readonly service: DataService;
  readonly guard: Guard | undefined;
  /** For a WebSocket: any valid credential, such as a publishable key; what it may read is decided per channel. */
  readonly opening: Guard | undefined;
  readonly callers: Callers;
  readonly limit: RateLimitCategory | undefined;
  readonly readers: SlowReaders;
  readonly draining: AbortSignal;
  readonly log: Logger;
}

const ChangesQuery = Type.Object({
  relation: Type.String({ description: 'A table that is `live` in the catalog, or a view over one' }),
  schema: Type.Optional(Type.String({ description: 'The first exposed one without it' })),
  filter: Type.Optional(
    Type.String({ description: 'Conditions on columns with commas between: `user_id=eq.5,done=is.false`' }),
  ),
  after: Type.Optional(Type.String({ maxLength: 1_000, description: 'As `Last-Event-ID`' })),
});

const EVENTS = {
  description: 'The events, until somebody leaves',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
};

/** From the registry of close codes (IANA). */
const TRY_AGAIN_LATER = 1013;

export function liveRoutes(app: Routes, parts: LiveParts): void {
  const { service, guard, callers, limit, readers, draining } = parts;
  app.get(
    '/-/changes',
    {
      ...limited(guard, limit),
      exposeHeadRoute: false,
      schema: {
        summary: 'Follow the changes of a table',
        description:
          'Server-sent events: `insert`, `update`, `delete` and `leave` (the row is no longer among what is asked for), each with the rows as the caller may see them; `reread` where changes were missed. A client goes on from the `id` of its last event.',
        querystring: ChangesQuery,
        response: { 200: EVENTS },
      },
    },
    async (request, reply) => {
      const { relation, schema, filter = '', after } = request.query;
      const last = request.headers['last-event-id'];
      const out = await eventStream(service.live, {
        caller: callers.of(request),
        wanted: { schema: schema ?? service.state.catalog.exposed[0] ?? '', relation, filter },
        after: typeof last === 'string' && last !== '' ? last : after,
        again: () => callers.again(request),
        draining,
      });
      return reply.headers(EVENT_STREAM_HEADERS).send(readers.stream(out));
    },
  );
}

/** The key is in the address, as browsers cannot set headers for a WebSocket: it is in no log. */
export async function realtimeRoutes(app: Routes, parts: LiveParts): Promise<void> {
  const { service, opening, callers, readers, draining, log } = parts;
  const { default: websocket } = await import('@fastify/websocket');
  await app.register(websocket, { options: { maxPayload: MAX_PAYLOAD } });
  const onRequest = [keyOfAddress, ...limited(opening, parts.limit).onRequest];
  app.get(
    '/realtime/v1/websocket',
    { websocket: true, onRequest, config: { hidden: true } },
    (socket, request) => {
      const own = request.headers;
      try {
        socket.on('close', service.live.connect(callers.of(request)));
      } catch (error) {
        if (!isServiceError(error)) throw error;
        return socket.close(TRY_AGAIN_LATER, error.message);
      }
      void serveSocket(socket, {
        live: service.live,
        readers,
        version: queryOf(request)['vsn'] === '2.0.0' ? '2.0.0' : '1.0.0',
        // The client sends its key again in place of a token.
        callerOf: (token) =>
          callers.again(
            request,
            token === undefined || token === own['apikey']
              ? own
              : { ...own, authorization: `Bearer ${token}` },
          ),
        draining,
        log,
      });
    },
  );
}

function keyOfAddress(request: Request, _reply: unknown, done: (error?: Error) => void): void {
  const { apikey } = queryOf(request);
  const { headers } = request.raw;
  if (typeof apikey === 'string') headers['apikey'] ??= apikey;
  // A browser lets pages of other origins open one: without a key they would read with the visitor's rights.
  else if (isForeign(request))
    return done(errors['42501']({ message: 'a page of another origin needs a key' }));
  done();
}

function isForeign({ headers: { origin }, host }: Request): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

function queryOf({ query }: Request): Readonly<Record<string, unknown>> {
  return query as Readonly<Record<string, unknown>>;
}
