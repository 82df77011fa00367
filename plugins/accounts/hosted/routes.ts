/** The addresses of the hosted pages. They need no API key: the link is the key, once, then its browser's cookie. */
import { parse, serialize } from 'cookie';
import { Type, type Reply, type Request, type Routes } from 'plugboard/sdk';
import { FIRST_PAGE, hashOf, optionsOf, useCaseOf, type LinkDocument } from '../links/link.js';
import type { LinkStore } from '../links/store.js';
import { prefixOf } from '../routes/request.js';
import type { Form } from './answers.js';
import type { Onboarding, Opened } from './onboarding.js';
import { sendPage } from './page.js';
import { STEPS, type Step } from './steps.js';
import { textsFor } from './texts/index.js';
import type { Texts } from './texts/en.js';
import { messageView, stepView, welcomeView, type Problems } from './views.js';

export interface HostedParts {
  readonly links: LinkStore;
  readonly onboarding: Onboarding;
}

const COOKIE = 'onboarding';
/** A form has a few dozen inputs of at most 5,000 characters. */
const BODY_LIMIT = 64 * 1024;
/** The length of a session, in seconds. */
const COOKIE_AGE = 3_600;

const Key = Type.Object({ key: Type.String() });
const Id = Type.Object({ id: Type.String() });
const Query = Type.Object({
  lang: Type.Optional(Type.String()),
  step: Type.Optional(Type.String()),
  person: Type.Optional(Type.String()),
});
const Sent = Type.Record(Type.String(), Type.Unknown());
const hidden = { config: { hidden: true } } as const;

export function hostedRoutes(app: Routes, { links, onboarding }: HostedParts): void {
  app.get(
    `${FIRST_PAGE}/:key`,
    { ...hidden, schema: { params: Key, querystring: Query } },
    async (request, reply) => {
      const t = textsOf(request, request.query.lang);
      const link = await links.find(hashOf(request.params.key));
      if (link === null) return notFound(reply, t);
      if (links.isOpen(link, tokenOf(request))) return reply.redirect(formUrl(request, link), 303);
      if (!links.canOpen(link)) return refresh(reply, link);
      const opened = await onboarding.opened(link);
      if (opened === undefined) return refresh(reply, link);
      const { state, options } = opened;
      const action = `${request.params.key}/start${langQuery(request.query.lang)}`;
      return sendPage(reply, 200, {
        t,
        title: t.title,
        body: welcomeView(t, state.display_name, action, options.return_url),
        otherLanguage: `?lang=${t.lang === 'en' ? 'ko' : 'en'}`,
        leadsTo: [options.refresh_url],
      });
    },
  );

  app.post(
    `${FIRST_PAGE}/:key/start`,
    { ...hidden, bodyLimit: BODY_LIMIT, schema: { params: Key, querystring: Query } },
    async (request, reply) => {
      if (isForeign(request)) return refused(reply, textsOf(request, request.query.lang));
      const id = hashOf(request.params.key);
      const link = await links.find(id);
      if (link === null) return notFound(reply, textsOf(request, request.query.lang));
      if (links.isOpen(link, tokenOf(request))) return reply.redirect(formUrl(request, link), 303);
      const token = await links.open(id);
      if (token === undefined) return refresh(reply, link);
      const path = `${prefixOf(request)}${formPath(id)}`;
      const options = { path, httpOnly: true, sameSite: 'lax', maxAge: COOKIE_AGE } as const;
      const secure = request.protocol === 'https';
      void reply.header('set-cookie', serialize(COOKIE, token, { ...options, secure }));
      return reply.redirect(formUrl(request, link), 303);
    },
  );

  app.get(
    formPath(':id'),
    { ...hidden, schema: { params: Id, querystring: Query } },
    async (request, reply) => {
      const { lang, step, person } = request.query;
      const t = textsOf(request, lang);
      const link = await links.find(request.params.id);
      if (link === null) return notFound(reply, t);
      const opened = links.isOpen(link, tokenOf(request)) ? await onboarding.opened(link) : undefined;
      if (opened === undefined) return refresh(reply, link);
      const chosen = STEPS.find((one) => one === step && opened.plan.steps.includes(one));
      return show(reply, request, opened, chosen ?? firstStep(opened), person);
    },
  );

  app.post(
    formPath(':id'),
    { ...hidden, bodyLimit: BODY_LIMIT, schema: { params: Id, querystring: Query, body: Sent } },
    async (request, reply) => {
      const t = textsOf(request, request.query.lang);
      if (isForeign(request)) return refused(reply, t);
      const link = await links.find(request.params.id);
      if (link === null) return notFound(reply, t);
      const opened = links.isOpen(link, tokenOf(request)) ? await onboarding.opened(link) : undefined;
      if (opened === undefined || !(await links.take(link))) return refresh(reply, link);
      const sender = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
      const form = request.body as Form;
      const outcome = await onboarding.submit(opened, form, t, sender);
      if (outcome.kind === 'failed') {
        const failed = { form, problems: outcome.problems };
        return show(reply, request, opened, outcome.step, outcome.person, failed);
      }
      if (outcome.kind === 'step') return reply.redirect(formUrl(request, link, outcome.step), 303);
      const { return_url: back } = opened.options;
      if (back !== undefined) return reply.redirect(back, 303);
      return sendPage(reply, 200, { t, title: t.thanks, body: messageView(t.thanks, t.thanksText) });
    },
  );
}

/** A link that updates an account begins with the existing data. */
function firstStep({ plan, link }: Opened): Step {
  const isUpdate = useCaseOf(link).type === 'account_update';
  const first = plan.steps.find((step) => step === 'details') ?? plan.next;
  return isUpdate && plan.next === 'review' ? first : plan.next;
}

function show(
  reply: Reply,
  request: Request,
  opened: Opened,
  step: Step,
  person: string | undefined,
  failed?: Problems,
): Reply {
  const { lang } = request.query as { lang?: string };
  const t = textsOf(request, lang);
  const { options, plan, state, persons } = opened;
  const action = (query: Readonly<Record<string, string>> = {}): string => {
    const all = new URLSearchParams({ ...query, ...(lang !== undefined && { lang: t.lang }) }).toString();
    return all === '' ? '?' : `?${all}`;
  };
  const other = new URLSearchParams({
    step,
    ...(person !== undefined && { person }),
    lang: t.lang === 'en' ? 'ko' : 'en',
  });
  const input = { t, plan, state, persons, action, returnUrl: options.return_url, failed };
  return sendPage(reply, failed === undefined ? 200 : 422, {
    t,
    title: `${t.steps[step]} - ${t.title}`,
    body: stepView(input, step, person),
    ...(failed === undefined && { otherLanguage: `?${other.toString()}` }),
    leadsTo: [options.refresh_url, ...(options.return_url === undefined ? [] : [options.return_url])],
  });
}

function refresh(reply: Reply, link: LinkDocument): Reply {
  const options = optionsOf(useCaseOf(link));
  return reply.header('cache-control', 'no-store').redirect(options?.refresh_url ?? '/', 303);
}

function notFound(reply: Reply, t: Texts): Reply {
  return sendPage(reply, 404, { t, title: t.notFound, body: messageView(t.notFound, t.notFoundText) });
}

function refused(reply: Reply, t: Texts): Reply {
  return sendPage(reply, 403, { t, title: t.refused, body: messageView(t.refused, t.refusedText) });
}

/** Independent of `cors.origins`: a form on another site is never the person's own. */
function isForeign(request: Request): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === request.host);
}

function tokenOf({ headers: { cookie } }: Request): string | undefined {
  return cookie === undefined ? undefined : parse(cookie)[COOKIE];
}

function textsOf(request: Request, lang: string | undefined): Texts {
  return textsFor(lang, request.headers['accept-language']);
}

function langQuery(lang: string | undefined): string {
  return lang === undefined ? '' : `?lang=${lang === 'ko' ? 'ko' : 'en'}`;
}

function formPath(id: string): string {
  return `${FIRST_PAGE}/forms/${id}`;
}

function formUrl(request: Request, { _id }: LinkDocument, step?: Step): string {
  const { lang } = request.query as { lang?: string };
  const query = new URLSearchParams({
    ...(step !== undefined && { step }),
    ...(lang !== undefined && { lang: lang === 'ko' ? 'ko' : 'en' }),
  }).toString();
  return `${prefixOf(request)}${formPath(_id)}${query === '' ? '' : `?${query}`}`;
}
