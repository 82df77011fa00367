/** Every page of a new server, and the large lists: 100,000 rows, 300 keys, 10,000 calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bootAll, type AllPlugins } from './all-plugins.js';
import { assertAccessible, inBrowser } from './browser.js';
import { logIn } from './console.js';

const ROWS = 100_000;
const KEYS = 300;
const CALLS = 10_000;
/** At once, so that no caller's own limits are met. */
const ABREAST = 40;
/** Pixels of a page that one still scrolls through; a page of all 300 keys had 75,000. */
const TALLEST = 5000;

async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .locator('[aria-busy=true], [role=status][aria-label=Loading]')
    .first()
    .waitFor({ state: 'detached' });
}

test('every page of a server without any data says what would be there, and complains of nothing', async () => {
  await using all = await bootAll({
    rows: { 'public.directors': [], 'public.films': [] },
    models: false,
  });
  const headers = { authorization: `Bearer ${await all.server.key('*')}` };
  const { pages } = (await all.server.inject({ url: '/console/pages', headers })).json<{
    pages: { plugin: string; id: string }[];
  }>();
  await inBrowser(`${all.url}/console`, async (page) => {
    await logIn(page);
    await page.getByRole('heading', { name: 'Next steps' }).waitFor();
    const faults: string[] = [];
    for (const { plugin, id } of pages) {
      await page.goto(`${all.url}/console/${plugin}/${id}`);
      await loaded(page);
      try {
        await assertAccessible(page);
        assert.equal(await page.locator('main [role=alert]').count(), 0, 'an alert');
        const text = await page.locator('main').innerText();
        assert.doesNotMatch(text, /undefined|NaN|\bnull\b(?! )|\[object/, 'a value that is none');
      } catch (error) {
        faults.push(`${plugin}/${id}: ${(error as Error).message}`);
      }
    }
    assert.deepEqual(faults, []);
  });
});

test('100,000 rows, 300 keys and 10,000 calls are paged, searched and added up, and no page grows with them', async () => {
  const films = Array.from({ length: ROWS }, (_film, at) => ({
    title: `Film ${at}`,
    note: null,
    director_id: 1,
  }));
  await using all = await bootAll({
    rows: { 'public.directors': [{ id: 1, name: 'Kim' }], 'public.films': films },
  });
  await fill(all);
  await inBrowser(`${all.url}/console`, async (page) => {
    await logIn(page);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const open = async (path: string): Promise<void> => {
      await page.goto(`${all.url}/console/${path}`);
      await loaded(page);
    };
    const assertNotTall = async (): Promise<void> => {
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      assert.ok(height < TALLEST, `${height} pixels`);
    };

    await open('dataquery/tables?table=films');
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByText('100,000').first().waitFor();
    await assertNotTall();
    await open('dataquery/tables?table=films&at=99950');
    await page.getByRole('table', { name: 'films' }).getByText('Film 99999', { exact: true }).waitFor();
    await open('dataquery/tables?table=films&filter=title%3Deq.Film+77777');
    await page.getByRole('table', { name: 'films' }).getByText('Film 77777', { exact: true }).waitFor();

    await open('auth/keys');
    await page.getByText(/of 301|of 302/).waitFor();
    await assertNotTall();
    await page.getByPlaceholder(/Search/).fill('key 277');
    await page.getByRole('table').getByText('key 277', { exact: true }).waitFor();

    await open('router/router?view=usage');
    await page.getByRole('table', { name: 'Usage' }).getByText('10,000').first().waitFor();
    await open('router/router?view=calls');
    await assertNotTall();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100').waitFor();
    await assertAccessible(page);
  });
});

async function fill({ server }: AllPlugins): Promise<void> {
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  await abreast(KEYS, (at) =>
    server.inject({
      method: 'POST',
      url: '/api/keys',
      headers,
      payload: { name: `key ${at}`, scopes: ['chat'] },
    }),
  );
  const payload = { model: 'up/one', messages: [{ role: 'user', content: 'hello' }] };
  await abreast(CALLS, () =>
    server.inject({ method: 'POST', url: '/v1/chat/completions', headers, payload }),
  );
}

async function abreast(
  count: number,
  work: (at: number) => Promise<{ readonly statusCode: number; readonly body: string }>,
): Promise<void> {
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < count) {
      const answer = await work(at++);
      assert.ok(answer.statusCode < 300, answer.body);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
}
