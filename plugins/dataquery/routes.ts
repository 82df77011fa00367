/** Adapts HTTP to the data API: one handler for reads, one for writes, on every path under its root. */
import {
  bodyFault,
  limited,
  whenAnswered,
  type Guard,
  type RateLimitCategory,
  type Reply,
  type Request,
  type Routes,
  type SlowReaders,
} from 'plugboard/sdk';
import { answerOptions, answerRead, answerWrite } from './front/api/dispatch.js';
import type { ApiContext } from './front/api/context.js';
import { CatalogError } from './engine/catalog/read.js';
import { errors } from './engine/base/errors.js';
import type { Answer, Incoming } from './front/http/exchange.js';
import type { CatalogOperations } from './front/openapi/operations.js';
import { namesPlan } from './front/http/media-type.js';
import { ReloadResult } from './schema.js';
import { ANYBODYS, type Callers } from './caller.js';
import type { DataService } from './service.js';

export interface Guards {
  readonly read: Guard | undefined;
  readonly write: Guard | undefined;
  /** For functions that only read. */
  readonly call: Guard | undefined;
  readonly explain: Guard | undefined;
  readonly manage: Guard;
}

const READ = ['GET', 'HEAD'];
const WRITE = ['POST', 'PATCH', 'PUT', 'DELETE'];

export function routes(
  app: Routes,
  service: DataService,
  guards: Guards,
  callers: Callers,
  limit: RateLimitCategory | undefined,
  readers: SlowReaders,
): void {
  app.removeAllContentTypeParsers();
  // Every body is read as text: a missing content type means JSON, and the errors are the API's own.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const fault = bodyFault(request.headers, body);
    if (fault === undefined) done(null, body.toString());
    else done(errors.SVC102({ message: `The body ${fault.reason}` }));
  });

  const answerWith =
    (answer: (context: ApiContext, incoming: Incoming) => Answer | Promise<Answer>, { of } = callers) =>
    async (request: Request, reply: Reply): Promise<Reply> => {
      const context = service.context(of(request));
      const end = service.begin();
      whenAnswered(reply, () => {
        end();
        // The connection is closed: nobody waits for the response.
        context.budget.cancel();
      });
      return send(reply, readers, await answer(context, incoming(request)));
    };
  // A write that waited belongs to the catalog that came into force meanwhile.
  const answerHeld =
    (handler: (request: Request, reply: Reply) => Promise<Reply>) =>
    (request: Request, reply: Reply): Promise<Reply> =>
      service.write(() => handler(request, reply));

  app.post(
    '/-/reload',
    { onRequest: guards.manage, schema: { summary: 'Reload the catalog', response: { 200: ReloadResult } } },
    async () => reload(service),
  );
  const guarded = (guard: Guard | undefined) => ({
    onRequest: [...limited(guard, limit).onRequest, onlyForPlans(guards.explain)],
  });
  for (const url of ['/', '/*']) {
    const shown = (part: keyof CatalogOperations) =>
      url === '/' ? { hidden: true } : { operations: () => service.operations()[part] };
    app.route({
      config: shown('reads'),
      method: READ,
      url,
      ...guarded(guards.read),
      handler: answerWith((context, request) => context.budget.answerInTime(answerRead(context, request))),
    });
    app.route({
      config: { ...shown('writes'), takesBody: true },
      method: WRITE,
      url,
      ...guarded(guards.write),
      handler: answerHeld(answerWith(answerWrite)),
    });
    app.route({
      config: { hidden: true },
      method: 'OPTIONS',
      url,
      handler: answerWith(answerOptions, ANYBODYS),
    });
  }
  const reads = (request: Request): boolean => service.onlyReads(calledIn(request));
  for (const url of ['/rpc/:function', '/rest/v1/rpc/:function']) {
    const shown = url.startsWith('/rpc')
      ? { operations: () => service.operations().calls }
      : { hidden: true };
    app.route({
      config: { ...shown, readOnly: reads, takesBody: true },
      method: 'POST',
      url,
      ...guarded(guards.call && guards.write && chosen(guards.call, guards.write, reads)),
      handler: answerHeld(answerWith(answerWrite)),
    });
  }
}

/** A guard by what a function does; the document names the one for reads. */
function chosen(call: Guard, write: Guard, reads: (request: Request) => boolean): Guard {
  const hook: Guard = Object.assign(
    function (this: unknown, ...[request, reply, done]: Parameters<Guard>) {
      return (reads(request) ? call : write).call(this as never, request, reply, done);
    },
    { ...call },
  );
  return hook;
}

function calledIn({ params }: Request): string {
  return (params as { function?: string }).function ?? '';
}

/** Plans reveal filter values and how rows are stored, and cost what the request costs. */
function onlyForPlans(guard: Guard | undefined): RateLimitCategory['hook'] {
  return function (request, reply, done) {
    return guard !== undefined && namesPlan(request.headers.accept)
      ? guard.call(this, request, reply, done)
      : done();
  };
}

/** The old catalog stays in force if the new one has problems (SVC130). */
async function reload(service: DataService) {
  try {
    const loaded = await service.reload();
    return { ...loaded, warnings: [...loaded.warnings] };
  } catch (error) {
    if (error instanceof CatalogError) throw errors.SVC130({ details: error.message });
    throw error;
  }
}

function incoming(request: Request): Incoming {
  const mark = request.url.indexOf('?');
  return {
    method: request.method,
    segments: segmentsOf(request.path),
    search: mark === -1 ? '' : request.url.slice(mark + 1),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: typeof request.body === 'string' ? request.body : '',
  };
}

/** supabase-js adds `rest/v1` to its configured address. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const own = segments[0] === 'rest' && segments[1] === 'v1' ? segments.slice(2) : segments;
  return own.map(decodeURIComponent);
}

function send(reply: Reply, readers: SlowReaders, { status, headers, body }: Answer): Reply {
  reply.code(status).headers(headers);
  return reply.send(body === undefined || typeof body === 'string' ? body : readers.stream(body));
}
