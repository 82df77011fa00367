import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { bootTest, type TestServer } from 'plugboard/testing';
import { builtIn } from '../../support/built-in.js';
import { ADMIN_PASSWORD, beginSession, bearer, guarded, outcome, visit } from './support.js';

const plugins = [{ plugin: guarded({ reader: { accepts: 'bearer', scope: 'x' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('the page and all that it loads come with a policy that lets nothing else in', async () => {
  await using server = await bootTest({ plugins, auth });
  const page = await server.inject('/keys');
  const loaded = [...page.body.matchAll(/(?:src|href)="(keys\/[^"]+)"/g)].map(([, path]) => `/${path}`);
  assert.deepEqual(loaded.toSorted(), ['/keys/keys.css', '/keys/main.js']);
  const main = await server.inject('/keys/main.js');
  const imported = [...main.body.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/keys/${name}`);
  assert.ok(imported.length > 5);
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', keys: 'text/html' };
  for (const url of ['/keys', ...loaded, ...imported]) {
    const answer = await server.inject(url);
    assert.equal(answer.statusCode, 200, url);
    const type = types[url.split(/[./]/).at(-1) ?? ''];
    assert.equal(answer.headers['content-type'], `${type}; charset=utf-8`, url);
    assert.equal(
      answer.headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['x-frame-options'], 'DENY');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('the page has no script and no style of its own, which the policy would refuse', async () => {
  await using server = await bootTest({ auth });
  const { body } = await server.inject('/keys');
  assert.doesNotMatch(body, /<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/i);
});

test('a browser that asks for / is sent to the page, and everything else gets JSON', async () => {
  await using server = await bootTest({ plugins, auth });
  const sent = await server.inject({ url: '/?from=bookmark', headers: { accept: BROWSER } });
  assert.deepEqual([sent.statusCode, sent.headers.location, sent.headers.vary], [302, '/keys', 'accept']);
  for (const [method, url, accept] of [
    ['GET', '/', 'application/json'],
    ['GET', '/', '*/*'],
    ['GET', '/', undefined],
    ['GET', '/elsewhere', BROWSER],
    ['GET', '//', BROWSER],
    ['POST', '/', BROWSER],
  ] as const) {
    const answer = await server.inject({ method, url, headers: accept === undefined ? {} : { accept } });
    assert.equal(answer.statusCode, 404, `${method} ${url} ${accept}`);
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  }
});

test('the page stands in no OpenAPI document', async () => {
  await using server = await bootTest({ plugins, auth });
  const { paths } = (await server.inject('/-/openapi.json')).json<{ paths: object }>();
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.startsWith('/keys')),
    [],
  );
  assert.ok('/api/scopes' in paths);
});

test('management lists the scopes that plugins declare, each with its sentence', async () => {
  await using server = await bootTest({ plugins, auth });
  const { cookie } = await beginSession(server);
  const answer = await server.inject({ url: '/api/scopes', headers: { cookie } });
  const { scopes } = answer.json<{ scopes: { name: string }[] }>();
  assert.deepEqual(
    scopes.map(({ name }) => name),
    ['data:read', 'data:write', 'manage', 'repo', 'x', 'y'],
  );
  assert.deepEqual(scopes[4], { name: 'x', summary: 'the scope x', plugin: 'guarded' });
  assert.equal(outcome(await server.inject('/api/scopes')), '401 missing_credentials');
  const weak = await server.inject({ url: '/api/scopes', headers: bearer(await server.key('x')) });
  assert.equal(outcome(weak), '403 insufficient_scope');
});

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = { skip: existsSync(CHROMIUM) ? false : `no browser at ${CHROMIUM} (CHROMIUM names another)` };

/** Opens the page in a real browser; what it says on its console, or throws, fails the test. */
async function inBrowser(server: TestServer, use: (page: Page) => Promise<void>): Promise<void> {
  const url = await server.listen();
  // Containers run as root, where Chromium has no sandbox.
  const chrome = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const page = await chrome.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A refused call stands on the console too: that is the answer which the page shows.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    await page.goto(`${url}/`);
    assert.equal(page.url(), `${url}/keys`);
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await chrome.close();
  }
}

async function logIn(page: Page, password = ADMIN_PASSWORD): Promise<void> {
  await page.getByLabel("Administrator's password").fill(password);
  await page.keyboard.press('Enter');
}

test(
  'a key made in a browser works, is refused when revoked, and stays nowhere in the page',
  browser,
  async () => {
    await using server = await bootTest({ plugins, auth });
    await inBrowser(server, async (page) => {
      await logIn(page, 'wrong password');
      await page.locator('#password-error', { hasText: 'password' }).waitFor();
      assert.equal(await page.getByLabel("Administrator's password").getAttribute('aria-invalid'), 'true');
      await logIn(page);

      const make = page.getByRole('button', { name: 'Make key' });
      await page.getByRole('checkbox', { name: 'the scope x' }).check();
      await make.click();
      await page.locator('#name-error:not(:empty)').waitFor();
      assert.equal(await page.evaluate('document.activeElement.id'), 'name');
      const name = '<img src=x onerror=alert(1)>';
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Expires at the end of').fill('2020-01-01');
      await make.click();
      await page.locator('#expires-error:not(:empty)').waitFor();
      await page.getByLabel('Expires at the end of').fill('');
      await make.click();

      const dialog = page.getByRole('dialog', { name: `Key for ${name}` });
      await dialog.waitFor();
      assert.equal(await page.evaluate('document.activeElement.id'), 'issued-title');
      const key = (await page.locator('#issued-key').textContent()) ?? '';
      assert.match(key, /^pb_[\w-]{43}$/);
      const curl = await page.locator('#issued-curl').textContent();
      assert.equal(
        curl,
        `curl '${new URL('/guarded/reader', page.url()).href}' -H 'Authorization: Bearer ${key}'`,
      );
      assert.equal(await visit(server, 'reader', bearer(key)), '200 key');

      await page.keyboard.press('Escape');
      const item = page.getByRole('listitem').filter({ hasText: name });
      await item.filter({ hasText: `pb_...${key.slice(-4)}` }).waitFor();
      await page.locator('#status', { hasText: 'Made the key' }).waitFor();
      assert.equal(await page.locator('img').count(), 0);
      const kept = await page.evaluate(`JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map((input) => input.value),
      { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
    ])`);
      assert.ok(!String(kept).includes(key.slice(3, 20)));

      await item.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await visit(server, 'reader', bearer(key)), '200 key');
      await item.getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
      await item.locator('.state', { hasText: 'revoked' }).waitFor();
      assert.equal(await visit(server, 'reader', bearer(key)), '401 api_key_revoked');

      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel("Administrator's password").waitFor();
      assert.equal(await page.locator('#list li').count(), 0);
    });
  },
);

test('an ended session leads back to the login, also out of a question', browser, async () => {
  await using server = await bootTest({ plugins, auth });
  await inBrowser(server, async (page) => {
    const password = page.getByLabel("Administrator's password");
    await logIn(page);
    await page.getByRole('button', { name: 'Revoke first key' }).click();
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await password.waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'password');
    assert.equal(await page.locator('dialog[open], #list li').count(), 0);
    await logIn(page);
    await page.getByRole('button', { name: 'Revoke first key' }).waitFor();
  });
});

test('while management is open the page asks for no login', browser, async () => {
  await using server = await bootTest({ plugins, auth: { ...auth, requireLogin: false } });
  await inBrowser(server, async (page) => {
    await page.getByLabel('Name').fill('open');
    await page.getByRole('checkbox', { name: 'the scope x' }).check();
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Log out' }).count(), 0);
  });
});

test(
  'a key that may speak gets its seconds of the month, and a refused number is said beside the key',
  browser,
  async () => {
    await using server = await bootTest({ plugins: [{ plugin: await builtIn('speech') }], auth });
    await inBrowser(server, async (page) => {
      await logIn(page);
      const seconds = page.getByLabel('Seconds of speech a month');
      const make = page.getByRole('button', { name: 'Make key' });
      const issue = async (name: string, amount: string): Promise<string> => {
        await page.getByLabel('Name', { exact: true }).fill(name);
        assert.equal(await seconds.isVisible(), false);
        await page.getByRole('checkbox', { name: 'speak, list voices' }).check();
        await seconds.fill(amount);
        await make.click();
        const key = (await page.locator('#issued-key:not(:empty)').textContent()) ?? '';
        await page.keyboard.press('Escape');
        return key;
      };
      const key = await issue('announcer', '120');
      await page.getByRole('listitem').filter({ hasText: '120 seconds a month' }).waitFor();
      const usage = await server.inject({ url: '/api/v1/usage', headers: bearer(key) });
      assert.equal(usage.json<{ limit_seconds: number }>().limit_seconds, 120);

      await page.getByLabel('Name', { exact: true }).fill('too much');
      await page.getByRole('checkbox', { name: 'speak, list voices' }).check();
      await seconds.fill('-5');
      await make.click();
      await page.locator('#issued-error', { hasText: 'its seconds were refused' }).waitFor();
      assert.match((await page.locator('#issued-key').textContent()) ?? '', /^pb_/);
    });
  },
);
