/** The console around its pages: login, navigation, search, themes, languages, what a person may see. */
import assert from 'node:assert/strict';
import { createServer, request as send } from 'node:http';
import { test } from 'node:test';
import type { AddressInfo } from 'node:net';
import * as OTPAuth from 'otpauth';
import { assertAccessible, inBrowser } from './browser.js';
import { bootConsole, logIn, signedIn } from './console.js';
import { contrast } from './contrast.js';

const PASSWORD = 'nine yellow submarines';

test('a person with two-factor authentication is asked for the one-time password', async () => {
  await using server = await bootConsole();
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  const payload = { login: 'ann', access: 'admin', password: PASSWORD };
  const { id } = (await server.inject({ method: 'POST', url: '/api/users', headers, payload })).json<{
    id: number;
  }>();
  const enrolment = await server.inject({ method: 'POST', url: `/api/users/${id}/otp`, headers });
  const otp = OTPAuth.URI.parse(enrolment.json<{ uri: string }>().uri) as OTPAuth.TOTP;
  await inBrowser(`${await server.listen()}/console`, async (page) => {
    await page.locator('input[autocomplete=username]').fill('ann');
    await logIn(page, PASSWORD);
    await page.getByLabel('One-time password').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await assertAccessible(page);
    await page.getByLabel('One-time password').fill(otp.generate());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'ann' }).waitFor();
  });
});

test('by keyboard alone a page is found, and the content reached', async () => {
  await using server = await bootConsole();
  await inBrowser(`${await server.listen()}/console`, async (page) => {
    await logIn(page);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    await page.getByRole('button', { name: 'Search' }).press('Enter');
    await page.getByRole('textbox', { name: 'Search pages' }).fill('audit');
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    assert.equal(await page.title(), 'Audit · Plugboard');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search pages' }).waitFor();
  });
});

test('the theme and the language are chosen, and stay', async () => {
  await using server = await bootConsole();
  await inBrowser(`${await server.listen()}/console/auth/audit`, async (page) => {
    await logIn(page);
    const menu = page.getByRole('button', { name: 'admin' });
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await menu.click();
    await page.getByRole('menuitemradio', { name: '한국어' }).click();
    await page.getByRole('heading', { name: '감사 기록', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '감사 기록', level: 1 }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.dataset.mantineColorScheme'), 'dark');
    assert.equal(await page.evaluate('document.documentElement.lang'), 'ko');
    await assertAccessible(page);
  });
});

test('in light and in dark one sees placeholders, the focus, boxes to tick and the dots of badges', async () => {
  await using server = await bootConsole();
  await inBrowser(`${await server.listen()}/console/auth/keys`, async (page) => {
    await logIn(page);
    const state = page.locator('tbody .mantine-Badge-root[data-variant=dot]').first();
    const search = page.getByRole('searchbox');
    const link = page.getByRole('navigation').getByRole('link', { name: 'People' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const seen: Record<string, [least: number, contrast: number]> = {
        placeholder: [4.5, await contrast(search, { property: 'color', of: '::placeholder' })],
        dot: [3, await contrast(state, { property: 'background-color', of: '::before' })],
      };
      await search.focus();
      seen['a field with the focus'] = [3, await contrast(search, { property: 'border-top-color' })];
      await link.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      seen['a link with the focus'] = [3, await contrast(link, { property: 'outline-color' })];
      await page.getByRole('button', { name: 'Create key' }).click();
      const box = page.getByRole('dialog').getByRole('checkbox').first();
      // It is there and moves no more.
      await box.hover();
      seen['a box to tick'] = [3, await contrast(box, { property: 'border-top-color' })];
      await page.keyboard.press('Escape');
      for (const [name, [least, measured]] of Object.entries(seen))
        assert.ok(measured >= least, `${name} in ${colorScheme}: ${measured.toFixed(2)}, below ${least}`);
    }
  });
});

test('a viewer sees and changes nothing, and a member sees what is their own', async () => {
  await using server = await bootConsole();
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  for (const access of ['viewer', 'member'])
    await server.inject({
      method: 'POST',
      url: '/api/users',
      headers,
      payload: { login: access, access, password: PASSWORD },
    });
  const url = await server.listen();
  await inBrowser(`${url}/console/auth/keys`, async (page) => {
    await signedIn(page, 'viewer', PASSWORD);
    await page.getByRole('row', { name: 'first key' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /Create key|Revoke/ }).count(), 0);
  });
  await inBrowser(`${url}/console/auth/keys`, async (page) => {
    await signedIn(page, 'member', PASSWORD);
    await page.getByText('No API key yet').or(page.getByText('Nothing matches')).waitFor();
    const links = await page.getByRole('navigation').getByRole('link').allTextContents();
    assert.deepEqual(links, ['Home', 'Keys', 'Sessions']);
  });
});

test('an answer that fails, or does not come, is said with the id of the request, and tried again', async () => {
  await using server = await bootConsole();
  await inBrowser(`${await server.listen()}/console`, async (page) => {
    await logIn(page);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    let answer: 'fails' | 'is refused' | 'breaks' | 'comes' = 'fails';
    await page.route('**/api/users?*', async (route) => {
      const body = { error: { message: 'the store is away', code: 'unavailable' } };
      if (answer === 'comes') return route.continue();
      if (answer === 'breaks') return route.abort();
      return route.fulfill({
        status: answer === 'fails' ? 503 : 403,
        headers: { 'x-request-id': 'abc-7' },
        json: body,
      });
    });
    await page.getByRole('navigation').getByRole('link', { name: 'People' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'the store is away' }).filter({ hasText: 'abc-7' }).waitFor();
    await assertAccessible(page);
    answer = 'is refused';
    await page.getByRole('button', { name: 'Try again' }).click();
    await alert.filter({ hasText: 'You may not see this' }).waitFor();
    answer = 'comes';
    await page.reload();
    await page.getByText('Nobody but the administrator').waitFor();
  });
});

test('below the prefix of a proxy the console works, with deep links and a reload', async () => {
  await using server = await bootConsole({ server: { trustProxy: true } });
  const upstream = new URL(await server.listen());
  const proxy = createServer((request, response) => {
    const headers = {
      ...request.headers,
      'x-forwarded-prefix': '/tools/plugboard',
      'x-forwarded-for': '192.0.2.1',
    };
    if (request.url?.startsWith('/tools/plugboard/') !== true) return void response.writeHead(404).end();
    const path = request.url.slice('/tools/plugboard'.length);
    request.pipe(
      send(
        { host: upstream.hostname, port: upstream.port, path, method: request.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      ),
    );
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => proxy.once('listening', resolve));
    const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/tools/plugboard`;
    await inBrowser(`${base}/keys`, async (page) => {
      await logIn(page);
      await page.getByRole('row', { name: 'first key' }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
      await page.reload();
      await page.getByText('This browser').waitFor();
      assert.equal(page.url(), `${base}/console/auth/sessions`);
    });
  } finally {
    proxy.close();
  }
});
