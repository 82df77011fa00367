/** The page on which keys are made, as a person with a browser sees it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import { bootTest, type AnyPlugin, type TestServer } from 'plugboard/testing';
import { assertAccessible, inBrowser } from './browser.js';

const ADMIN_PASSWORD = 'correct horse battery';
const auth = { adminPassword: ADMIN_PASSWORD };

/** One route, for keys with the scope `x`. */
const guarded = definePlugin({
  name: 'guarded',
  api: 1,
  dialect: 'openai',
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  scopes: { x: 'the scope x' },
  setup: ({ needs }) => ({
    routes: (app) => {
      app.get('/guarded/reader', {
        onRequest: needs.auth.guard('bearer', { scope: 'x' }),
        handler: () => ({ read: true }),
      });
    },
  }),
});
const plugins = [{ plugin: guarded }];

async function speech(): Promise<AnyPlugin> {
  const built = new URL('../../../dist/plugins/speech/index.js', import.meta.url);
  return ((await import(built.href)) as { default: AnyPlugin }).default;
}

/** What the guarded route answers to the key. */
async function visit(server: TestServer, key: string): Promise<string> {
  const answer = await server.inject({
    url: '/guarded/reader',
    headers: { authorization: `Bearer ${key}` },
  });
  const { error } = answer.json<{ error?: { code: string } }>();
  return `${answer.statusCode} ${error?.code ?? 'read'}`;
}

async function logIn(page: Page, password = ADMIN_PASSWORD): Promise<void> {
  await page.getByLabel("Administrator's password").fill(password);
  await page.keyboard.press('Enter');
}

test('a key made in a browser works, is refused when revoked, and stays nowhere in the page', async () => {
  await using server = await bootTest({ plugins, auth });
  await inBrowser(await server.listen(), async (page) => {
    assert.equal(new URL(page.url()).pathname, '/keys');
    await assertAccessible(page);
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
    await assertAccessible(page);
    assert.equal(await page.evaluate('document.activeElement.id'), 'issued-title');
    const key = (await page.locator('#issued-key').textContent()) ?? '';
    assert.match(key, /^pb_[\w-]{43}$/);
    const curl = await page.locator('#issued-curl').textContent();
    assert.equal(
      curl,
      `curl '${new URL('/guarded/reader', page.url()).href}' -H 'Authorization: Bearer ${key}'`,
    );
    assert.equal(await visit(server, key), '200 read');

    await page.keyboard.press('Escape');
    const item = page.getByRole('listitem').filter({ hasText: name });
    await item.filter({ hasText: `pb_...${key.slice(-4)}` }).waitFor();
    await page.locator('#status', { hasText: 'Made the key' }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await assertAccessible(page);
    const kept = await page.evaluate(`JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map((input) => input.value),
      { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
    ])`);
    assert.ok(!String(kept).includes(key.slice(3, 20)));

    await item.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await visit(server, key), '200 read');
    await item.getByRole('button', { name: 'Revoke' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
    await item.locator('.state', { hasText: 'revoked' }).waitFor();
    assert.equal(await visit(server, key), '401 api_key_revoked');

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel("Administrator's password").waitFor();
    assert.equal(await page.locator('#list li').count(), 0);
  });
});

test('an ended session leads back to the login, also out of a question', async () => {
  await using server = await bootTest({ plugins, auth });
  await inBrowser(await server.listen(), async (page) => {
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

test('while management is open the page asks for no login', async () => {
  await using server = await bootTest({ plugins, auth: { ...auth, requireLogin: false } });
  await inBrowser(await server.listen(), async (page) => {
    await page.getByLabel('Name').fill('open');
    await page.getByRole('checkbox', { name: 'the scope x' }).check();
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Log out' }).count(), 0);
  });
});

test('a key that may speak gets its seconds of the month, and a refused number is said beside the key', async () => {
  await using server = await bootTest({ plugins: [{ plugin: await speech() }], auth });
  await inBrowser(await server.listen(), async (page) => {
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
    const usage = await server.inject({ url: '/api/v1/usage', headers: { authorization: `Bearer ${key}` } });
    assert.equal(usage.json<{ limit_seconds: number }>().limit_seconds, 120);

    await page.getByLabel('Name', { exact: true }).fill('too much');
    await page.getByRole('checkbox', { name: 'speak, list voices' }).check();
    await seconds.fill('-5');
    await make.click();
    await page.locator('#issued-error', { hasText: 'its seconds were refused' }).waitFor();
    assert.match((await page.locator('#issued-key').textContent()) ?? '', /^pb_/);
  });
});
