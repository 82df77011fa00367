/** The page of API keys, as a person with a browser sees it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import type { TestServer } from 'plugboard/testing';
import { assertAccessible, inBrowser } from './browser.js';
import { bootConsole, logIn } from './console.js';

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

/** What the guarded route answers to the key. */
async function visit(server: TestServer, key: string): Promise<string> {
  const answer = await server.inject({
    url: '/guarded/reader',
    headers: { authorization: `Bearer ${key}` },
  });
  const { error } = answer.json<{ error?: { code: string } }>();
  return `${answer.statusCode} ${error?.code ?? 'read'}`;
}

test('a key made in a browser works, is refused when revoked, and stays nowhere in the page', async () => {
  await using server = await bootConsole({ plugins });
  await inBrowser(`${await server.listen()}/keys`, async (page) => {
    assert.equal(new URL(page.url()).pathname, '/console/auth/keys');
    await logIn(page, 'wrong password');
    await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
    await assertAccessible(page);
    await logIn(page);

    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create key' });
    const make = form.getByRole('button', { name: 'Create key' });
    const name = '<img src=x onerror=alert(1)>';
    await form.getByLabel('Name').fill(name);
    await make.click();
    await form.getByText('Choose at least one scope').waitFor();
    await form.getByRole('checkbox', { name: 'x', exact: true }).check();
    await form.getByLabel('Expires').fill('2020-01-01');
    await make.click();
    await form.getByLabel('Expires').and(page.locator('[aria-invalid=true]')).waitFor();
    await assertAccessible(page);
    await form.getByLabel('Expires').fill('');
    await make.click();

    const dialog = page.getByRole('dialog', { name: `Key for ${name}` });
    await dialog.waitFor();
    await assertAccessible(page);
    const key = (await dialog.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? '';
    assert.match(key, /^pb_[\w-]{43}$/);
    assert.equal(await visit(server, key), '200 read');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    const row = page.getByRole('row').filter({ hasText: name });
    await row.filter({ hasText: `pb_...${key.slice(-4)}` }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await assertAccessible(page);
    const kept = await page.evaluate(`JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map((input) => input.value),
      { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
    ])`);
    assert.ok(!String(kept).includes(key.slice(3, 20)));

    await row.getByRole('button', { name: `Rotate ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await dialog.waitFor();
    const next = (await dialog.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? '';
    assert.notEqual(next, key);
    assert.deepEqual([await visit(server, key), await visit(server, next)], ['200 read', '200 read']);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await visit(server, key), '200 read');
    await row.getByRole('button', { name: `Revoke ${name}` }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
    await page.getByText(`Revoked "${name}"`).waitFor();
    assert.equal(await visit(server, key), '401 api_key_revoked');
  });
});

test('an ended session leads back to the login, and the login to the page', async () => {
  await using server = await bootConsole({ plugins });
  await inBrowser(`${await server.listen()}/console/auth/keys`, async (page) => {
    await logIn(page);
    await page.getByRole('button', { name: 'Revoke first key' }).click();
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await logIn(page);
    await page.getByRole('button', { name: 'Revoke first key' }).waitFor();
  });
});

test('while management is open the console asks for no login', async () => {
  await using server = await bootConsole({ plugins, auth: { requireLogin: false } });
  await inBrowser(`${await server.listen()}/console/auth/keys`, async (page) => {
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByText('Management is open to everybody').waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Log out' }).count(), 0);
  });
});

test('three hundred keys are shown fifty at a time, and a search is in the address', async () => {
  await using server = await bootConsole({ plugins });
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  for (let at = 1; at <= 300; at++) {
    const payload = { name: `key ${at}`, scopes: ['x'] };
    const made = await server.inject({ method: 'POST', url: '/api/keys', headers, payload });
    assert.equal(made.statusCode, 201);
  }
  await inBrowser(`${await server.listen()}/console/auth/keys`, async (page) => {
    await logIn(page);
    const rows = page.getByRole('row');
    await page.getByText('1–50 of 302').waitFor();
    assert.equal(await rows.count(), 51);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100 of 302').waitFor();
    await page.getByRole('searchbox', { name: /Search/ }).fill('key 29');
    await page.getByText('1–11 of 11').waitFor();
    assert.equal(new URL(page.url()).search, '?search=key+29');
    await page.reload();
    await page.getByText('1–11 of 11').waitFor();
    await page.getByRole('searchbox', { name: /Search/ }).fill('none of them');
    await page.getByText('Nothing matches').waitFor();
  });
});
