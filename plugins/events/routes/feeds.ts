/** The ten feeds over HTTP: conditional, thirty records per page. */
import {
  callerId,
  decodeCursor,
  EVENT_STREAM_HEADERS,
  keepOpen,
  limited,
  noneMatchHolds,
  pingText,
  type Auth,
  type Clock,
  type Guard,
  type Principal,
  type RateLimitCategory,
  type Reply,
  type Request,
  type Routes,
  type SlowReaders,
} from 'plugboard/sdk';
import { errors, validationFailed } from '../errors.js';
import { RepositoryMoved } from '../feeds/events.js';
import type { FoundPage, Page, PageRequest, Pages, Subject } from '../feeds/pages.js';
import type { PollInterval } from '../feeds/poll-interval.js';
import type { Dated } from '../feeds/merge.js';
import type { LiveFeeds } from '../live/live-feeds.js';
import {
  DashboardPath,
  EventList,
  IssueEventList,
  OrganizationPath,
  PageQuery,
  RepositoryIdPath,
  RepositoryPath,
  UserPath,
} from '../schema.js';
import { addressOf, numberOf, pathOf } from './addresses.js';

export interface FeedRouteParts {
  readonly auth: Auth;
  readonly clock: Clock;
  readonly pages: Pages;
  readonly interval: PollInterval;
  readonly live: LiveFeeds;
  readonly readers: SlowReaders;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal;
  readonly limit: RateLimitCategory | undefined;
  /** The address in links and records; undefined: the client's. */
  readonly baseUrl: string | undefined;
  /** Path of the routes: after that address, also in records. */
  readonly prefix: string;
}

const VARY = 'Accept, Authorization';

/** The version of the directory, read since the request came. */
const VERSION = Symbol('plugboard.events.version');
type Begun = Request & { [VERSION]?: number | Promise<number> };

export function feedRoutes(app: Routes, parts: FeedRouteParts): void {
  const { auth, limit, pages } = parts;
  // In parallel with the read of the caller's token.
  const begin = (request: Request, _reply: Reply, done: () => void): void => {
    (request as Begun)[VERSION] = pages.begin();
    done();
  };
  // Any token identifies the caller; its scopes decide what is shown.
  const guardOf = (optional: boolean) =>
    auth.guard(['bearer', 'token', 'basicUser', 'basicApp'], { scope: 'events', tokenScope: [], optional });
  const guarded = (optional: boolean) => ({
    onRequest: [begin, ...limited(guardOf(optional), limit).onRequest],
  });
  const hooks = guarded(true);
  const schema = { querystring: PageQuery, response: { 200: EventList } };
  const rules = { optional: guardOf(true), members: guardOf(false) };
  const answer = (request: Request, reply: Reply, subject: Subject): void => {
    const wanted = pageRequest(request, subject, parts);
    if (request.method === 'GET' && request.headers.accept?.includes('text/event-stream') === true)
      answerStream(
        request,
        reply,
        wanted,
        parts,
        subject.feed === 'dashboard' ? rules.members : rules.optional,
      );
    else answerPage(request, reply, wanted, parts);
  };

  app.get('/events', { ...hooks, schema: { ...schema, summary: 'List public events' } }, (request, reply) =>
    answer(request, reply, { feed: 'public' }),
  );
  for (const [path, feed, summary] of [
    ['/repos/:owner/:repo/events', 'repository', 'List the events of a repository'],
    ['/networks/:owner/:repo/events', 'network', 'List public events of a repository and its forks'],
  ] as const) {
    app.get(path, { ...hooks, schema: { ...schema, summary, params: RepositoryPath } }, (request, reply) =>
      answer(request, reply, { feed, ...request.params }),
    );
  }
  app.get(
    '/repos/:owner/:repo/issues/events',
    {
      ...hooks,
      schema: {
        ...schema,
        summary: 'List the issue events of a repository',
        params: RepositoryPath,
        response: { 200: IssueEventList },
      },
    },
    (request, reply) => answer(request, reply, { feed: 'issues', ...request.params }),
  );
  // Redirect targets for former names of repositories.
  for (const [path, feed, response, summary] of [
    ['/repositories/:id/events', 'repository', EventList, 'List the events of a repository by its number'],
    [
      '/repositories/:id/issues/events',
      'issues',
      IssueEventList,
      'List the issue events of a repository by its number',
    ],
  ] as const) {
    app.get(
      path,
      { ...hooks, schema: { ...schema, summary, params: RepositoryIdPath, response: { 200: response } } },
      (request, reply) => answer(request, reply, { feed, id: numberOf(request.params.id) }),
    );
  }
  app.get(
    '/orgs/:org/events',
    {
      ...hooks,
      schema: { ...schema, summary: 'List public events of an organization', params: OrganizationPath },
    },
    (request, reply) => answer(request, reply, { feed: 'organization', org: request.params.org }),
  );
  for (const [path, feed, summary] of [
    ['/users/:username/received_events', 'received', 'List the events that a user receives'],
    [
      '/users/:username/received_events/public',
      'received-public',
      'List the public events that a user receives',
    ],
    ['/users/:username/events', 'performed', 'List the events of a user'],
    ['/users/:username/events/public', 'performed-public', 'List the public events of a user'],
  ] as const) {
    app.get(path, { ...hooks, schema: { ...schema, summary, params: UserPath } }, (request, reply) =>
      answer(request, reply, { feed, user: request.params.username }),
    );
  }
  app.get(
    '/users/:username/events/orgs/:org',
    {
      ...guarded(false),
      schema: {
        ...schema,
        summary: 'List the events of an organization that a member sees',
        params: DashboardPath,
      },
    },
    (request, reply) => {
      const { username: user, org } = request.params;
      return answer(request, reply, { feed: 'dashboard', user, org });
    },
  );
}

function pageRequest(
  request: Request,
  subject: Subject,
  { auth, baseUrl, prefix }: FeedRouteParts,
): PageRequest {
  const { page, cursor } = request.query as { readonly page?: string; readonly cursor?: string };
  return {
    subject,
    ...(cursor === undefined ? { page: pageNumber(page) } : { page: 1, after: placeAt(cursor) }),
    viewer: viewerOf(auth.principal(request)),
    base: `${baseUrl ?? addressOf(request)}${prefix}`,
    path: pathOf(request).slice(prefix.length),
  };
}

/** The live feed. The caller is checked again while it is open, and must stay the same. */
function answerStream(
  request: Request,
  reply: Reply,
  wanted: PageRequest,
  parts: FeedRouteParts,
  guard: Guard,
): void {
  const { auth, live, readers, draining } = parts;
  const last = request.headers['last-event-id'];
  const caller = callerId(auth.principal(request), request.ip);
  live.follow(caller, wanted, typeof last === 'string' && last !== '' ? last : undefined).then(
    (out) => {
      const again = async (): Promise<void> => {
        if (viewerOf(await auth.identify(guard, request)) !== wanted.viewer) throw errors.not_found();
      };
      keepOpen(out, { ping: pingText, again, draining });
      void reply.headers(EVENT_STREAM_HEADERS).header('vary', VARY).send(readers.stream(out));
    },
    (error: unknown) => refuse(error, request, reply, wanted.subject, parts),
  );
}

function refuse(
  error: unknown,
  request: Request,
  reply: Reply,
  subject: Subject,
  parts: FeedRouteParts,
): void {
  void reply.send(error instanceof RepositoryMoved ? movedTo(error, request, subject, parts) : error);
}

function answerPage(request: Request, reply: Reply, wanted: PageRequest, parts: FeedRouteParts): void {
  const { clock, pages } = parts;
  const now = clock.now();
  const version = (request as Begun)[VERSION] ?? pages.begin();
  const fail = (error: unknown): void => refuse(error, request, reply, wanted.subject, parts);
  const tags = request.headers['if-none-match'];
  const answerWhole = (read: number): void => {
    pages.page(wanted, read, now).then((page) => sendPage(request, reply, page, now, parts), fail);
  };
  const answerFound = (read: number, found: FoundPage): void => {
    if (noneMatchHolds(tags, found.etag)) answerWhole(read);
    else sendUnchanged(request, reply, found, now, parts);
  };
  const answer = (read: number): void => {
    if (tags === undefined) {
      answerWhole(read);
      return;
    }
    try {
      const found = pages.find(wanted, read, now);
      // For an idle embedded store all is cached: then there is no promise.
      if (found instanceof Promise) found.then((one) => answerFound(read, one)).catch(fail);
      else answerFound(read, found);
    } catch (error) {
      fail(error);
    }
  };
  if (version instanceof Promise) version.then(answer, fail);
  else answer(version);
}

/** The token scopes that show private events to their user: clients of this API ask for `repo`. */
const PRIVATE_SCOPES = ['repo', 'events', '*'];

/** The login of the user whose private events may be shown. */
function viewerOf(principal: Principal): string | undefined {
  if (principal.kind !== 'user') return undefined;
  const { via, scopes, user } = principal;
  return via === 'basic' || PRIVATE_SCOPES.some((scope) => scopes.includes(scope)) ? user.login : undefined;
}

function movedTo(
  { id, fullName }: RepositoryMoved,
  request: Request,
  { feed }: Subject,
  { baseUrl, prefix }: FeedRouteParts,
): Error {
  const [owner = '', name = ''] = fullName.split('/').map(encodeURIComponent);
  const path =
    feed === 'network'
      ? `/networks/${owner}/${name}/events`
      : `/repositories/${id}${feed === 'issues' ? '/issues' : ''}/events`;
  const { page } = request.query as { page?: string };
  const query = page === undefined ? '' : `?page=${encodeURIComponent(page)}`;
  const url = `${baseUrl ?? addressOf(request)}${prefix}${path}${query}`;
  return errors.moved({
    headers: { location: url },
    documentationUrl: 'https://developer.github.com/v3/#http-redirects',
    extra: { url },
  });
}

function sendUnchanged(
  request: Request,
  reply: Reply,
  found: FoundPage,
  now: number,
  parts: FeedRouteParts,
): void {
  describe(request, reply, found, now, parts);
  // The client already has the other headers (RFC 9110 15.4.5); each costs a poll some percent.
  parts.limit?.refund(request, reply);
  void reply.code(304).send();
}

function sendPage(request: Request, reply: Reply, page: Page, now: number, parts: FeedRouteParts): void {
  describe(request, reply, page, now, parts);
  if (page.lastModified !== undefined) void reply.header('last-modified', page.lastModified);
  if (page.link !== undefined) void reply.header('link', page.link);
  void reply.type('application/json; charset=utf-8').send(page.body);
}

function describe(
  request: Request,
  reply: Reply,
  { etag }: FoundPage,
  now: number,
  { auth, interval }: FeedRouteParts,
): void {
  const seconds = interval.seconds(now);
  const isAnonymous = auth.principal(request).kind === 'anonymous';
  void reply
    .header('etag', etag)
    .header('x-poll-interval', seconds)
    .header('vary', VARY)
    .header(
      'cache-control',
      isAnonymous ? `public, max-age=${seconds}, s-maxage=${seconds}` : `private, max-age=${seconds}`,
    );
}

/** Null for the newest. */
function placeAt(cursor: string): Dated | null {
  if (cursor === '') return null;
  const [time, id] = [decodeCursor(cursor)].flat() as unknown[];
  if (!Number.isSafeInteger(time) || Math.abs(time as number) > 8.64e15 || typeof id !== 'string')
    throw validationFailed({
      resource: 'Event',
      field: 'cursor',
      code: 'invalid',
      message: 'cursor must be empty, or that of a Link',
    });
  return { at: new Date(time as number), _id: id };
}

/** Anything but a number from 1 is the first page, as clients of this API expect. */
function pageNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) return 1;
  return text.length > 9 ? Infinity : Number(text);
}
