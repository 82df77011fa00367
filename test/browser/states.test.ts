/**
 * Every page in every state. The pages are those that the server lists, so a new one is in here by itself; a state is
 * what the browser is made to see of the server.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { bootAll, type AllPlugins } from './all-plugins.js';
import { assertAccessible, inBrowser } from './browser.js';
import { logIn, signedIn } from './console.js';
import { assertDocumented, callsOf } from './documented.js';
import { nameHostilely } from './hostile-data.js';
import { assertByKeyboard } from './keyboard.js';

const PASSWORD = 'nine yellow submarines';

interface Listed {
  readonly plugin: string;
  readonly id: string;
}

let all: AllPlugins;
let pages: readonly Listed[] = [];
before(async () => {
  all = await bootAll();
  const headers = { authorization: `Bearer ${await all.server.key('*')}` };
  const payload = { login: 'viewer', access: 'viewer', password: PASSWORD };
  const made = await all.server.inject({ method: 'POST', url: '/api/users', headers, payload });
  assert.equal(made.statusCode, 201);
  pages = (await all.server.inject({ url: '/console/pages', headers })).json<{ pages: Listed[] }>().pages;
  assert.ok(pages.length >= 18);
  await nameHostilely(all.server);
});
after(() => all[Symbol.asyncDispose]());

interface State {
  /** What the browser gets for a call of the API; undefined: the real answer. */
  readonly answer?: (route: Route) => Promise<void>;
  readonly person?: string;
  /** What the page shows then. */
  readonly shows: (page: Page) => Promise<void>;
  readonly view?: { readonly width: number; readonly dark: boolean };
  /** What else holds of each page then. */
  readonly also?: (page: Page) => Promise<void>;
}

const alert = (text: string | RegExp) => async (page: Page) =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor();
const loaded = async (page: Page): Promise<void> => {
  await page
    .locator('[aria-busy=true], [role=status][aria-label=Loading]')
    .first()
    .waitFor({ state: 'detached' });
};
const NARROW_AND_DARK = { width: 320, dark: true };

let release = (): void => {};

const STATES: Readonly<Record<string, State>> = {
  'as it is, with names that nobody should give': { shows: loaded, also: assertNoMarkup },
  'by keyboard alone': { shows: loaded, also: assertByKeyboard },
  'as it is, dark and 320 pixels wide': { shows: loaded, view: NARROW_AND_DARK },
  'as a viewer sees it': { person: 'viewer', shows: loaded },
  'when the server fails': {
    answer: (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'request-7' },
        json: { error: { message: 'something broke', code: 'internal_error' } },
      }),
    shows: alert(/something broke.*request-7/s),
  },
  'when the store is away': {
    answer: (route) => route.fulfill({ status: 503, json: { message: 'the store is away', code: 'x' } }),
    shows: alert('the store is away'),
  },
  'when it may not be seen': {
    answer: (route) => route.fulfill({ status: 403, json: { error: { message: 'not for you' } } }),
    shows: alert('You may not see this'),
  },
  'when the network is gone': {
    answer: (route) => route.abort(),
    shows: alert('The server cannot be reached'),
  },
  'when the answer takes long': {
    answer: async (route) => {
      await new Promise<void>((resolve) => (release = resolve));
      await route.abort().catch(() => undefined);
    },
    shows: (page) =>
      page
        .locator('[aria-busy=true], [role=status]:has-text("Loading"), [aria-label=Loading]')
        .first()
        .waitFor(),
  },
};

async function assertNoMarkup(page: Page): Promise<void> {
  assert.equal(await page.locator('main img, main script').count(), 0, 'a name became HTML');
}

/** What the shell itself asks. */
const OF_SHELL = /\/console\/|\/api\/auth\/status|\/-\/openapi\.json/;

// Three at a time: a page that tries a call again waits more than it works.
describe('every page', { concurrency: 3 }, () => {
  for (const [name, { answer, person, shows, view, also }] of Object.entries(STATES))
    test(`${name}: it says so, axe finds nothing, and nothing is too wide`, async () => {
      await inBrowser(`${all.url}/console`, async (page) => {
        const calls = callsOf(page);
        if (view) {
          await page.setViewportSize({ width: view.width, height: 740 });
          await page.emulateMedia({ colorScheme: view.dark ? 'dark' : 'light' });
        }
        if (person === undefined) await logIn(page);
        else await signedIn(page, person, PASSWORD);
        await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
        if (answer !== undefined) await page.route((url) => !OF_SHELL.test(url.pathname), answer);
        const faults: string[] = [];
        for (const { plugin, id } of pages) {
          const path = `${plugin}/${id}`;
          await page.goto(`${all.url}/console/${path}`);
          try {
            await page.getByRole('heading', { level: 1 }).waitFor();
            await shows(page);
            await assertAccessible(page);
            await also?.(page);
            const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
            assert.ok(Number(over) <= 0, `${String(over)} pixels too wide`);
          } catch (error) {
            faults.push(`${path}: ${(error as Error).message.split('\n').slice(0, 6).join(' ')}`);
          }
          release();
        }
        assert.deepEqual(faults, []);
        await assertDocumented(all.server, calls);
      });
    });
});
