/** The ten feeds over HTTP: conditional, thirty records a page. */
import {
  limited,
  noneMatchHolds,
  type Auth,
  type RateLimitCategory,
  type Reply,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import type { Page, Pages, Subject } from '../feeds/pages.js';
import type { PollInterval } from '../feeds/poll-interval.js';
import {
  DashboardPath,
  EventList,
  IssueEventList,
  OrganizationPath,
  PageQuery,
  RepositoryPath,
  UserPath,
} from '../schema.js';

export interface FeedRouteParts {
  readonly auth: Auth;
  readonly pages: Pages;
  readonly interval: PollInterval;
  readonly limit: RateLimitCategory | undefined;
  /** The address in links and records; undefined: the one that the client used. */
  readonly baseUrl: string | undefined;
}

export function feedRoutes(app: Routes, parts: FeedRouteParts): void {
  const { auth, limit } = parts;
  const guarded = (optional: boolean) =>
    limited(auth.guard(['bearer', 'token', 'basicUser', 'basicApp'], { scope: 'events', optional }), limit);
  const hooks = guarded(true);
  const schema = { querystring: PageQuery, response: { 200: EventList } };
  const answer = (request: Request, reply: Reply, subject: Subject) =>
    answerPage(request, reply, subject, parts);

  app.get('/events', { ...hooks, schema }, (request, reply) => answer(request, reply, { feed: 'public' }));
  for (const [path, feed] of [
    ['/repos/:owner/:repo/events', 'repository'],
    ['/networks/:owner/:repo/events', 'network'],
  ] as const) {
    app.get(path, { ...hooks, schema: { ...schema, params: RepositoryPath } }, (request, reply) =>
      answer(request, reply, { feed, ...request.params }),
    );
  }
  app.get(
    '/repos/:owner/:repo/issues/events',
    { ...hooks, schema: { ...schema, params: RepositoryPath, response: { 200: IssueEventList } } },
    (request, reply) => answer(request, reply, { feed: 'issues', ...request.params }),
  );
  app.get(
    '/orgs/:org/events',
    { ...hooks, schema: { ...schema, params: OrganizationPath } },
    (request, reply) => answer(request, reply, { feed: 'organization', org: request.params.org }),
  );
  for (const [path, feed] of [
    ['/users/:username/received_events', 'received'],
    ['/users/:username/received_events/public', 'received-public'],
    ['/users/:username/events', 'performed'],
    ['/users/:username/events/public', 'performed-public'],
  ] as const) {
    app.get(path, { ...hooks, schema: { ...schema, params: UserPath } }, (request, reply) =>
      answer(request, reply, { feed, user: request.params.username }),
    );
  }
  app.get(
    '/users/:username/events/orgs/:org',
    { ...guarded(false), schema: { ...schema, params: DashboardPath } },
    (request, reply) => {
      const { username: user, org } = request.params;
      return answer(request, reply, { feed: 'dashboard', user, org });
    },
  );
}

function answerPage(request: Request, reply: Reply, subject: Subject, parts: FeedRouteParts): void {
  const { auth, pages, baseUrl } = parts;
  const principal = auth.principal(request);
  pages
    .page({
      subject,
      page: pageNumber((request.query as { page?: string }).page),
      viewer: principal.kind === 'user' ? principal.user.login : undefined,
      base: baseUrl ?? addressOf(request),
      path: pathOf(request),
    })
    .then(
      (page) => sendPage(request, reply, page, parts),
      (error: unknown) => reply.send(error),
    );
}

function sendPage(
  request: Request,
  reply: Reply,
  page: Page,
  { auth, interval, limit }: FeedRouteParts,
): void {
  setHeaders(reply, page, interval.seconds(), auth.principal(request).kind === 'anonymous');
  if (noneMatchHolds(request.headers['if-none-match'], page.etag)) {
    void reply.type('application/json; charset=utf-8').send(page.body);
    return;
  }
  limit?.refund(request, reply);
  void reply.code(304).send();
}

function setHeaders(
  reply: Reply,
  { etag, lastModified, link }: Page,
  seconds: number,
  isAnonymous: boolean,
): void {
  void reply
    .header('etag', etag)
    .header('x-poll-interval', seconds)
    .header('vary', 'Accept, Authorization')
    .header(
      'cache-control',
      isAnonymous ? `public, max-age=${seconds}, s-maxage=${seconds}` : `private, max-age=${seconds}`,
    );
  if (lastModified !== undefined) void reply.header('last-modified', lastModified);
  if (link !== undefined) void reply.header('link', link);
}

/** What is not a number from 1 is the first page, as clients of this API are used to. */
function pageNumber(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) return 1;
  return text.length > 9 ? Infinity : Number(text);
}

function addressOf({ protocol, host }: Request): string {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${protocol}://${host}` : `${protocol}://localhost`;
}

/** The path as the client wrote it, without what would end the address in a Link header. */
function pathOf({ url }: Request): string {
  const end = url.search(/[?#]/);
  return (end === -1 ? url : url.slice(0, end)).replaceAll(/[<>"\\^`{|}]/g, encodeURIComponent);
}
