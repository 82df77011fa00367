/** The pages of the OAuth flows, as a person sees and uses them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bootTest, type AnyPlugin, type TestServer } from 'plugboard/testing';
import { assertAccessible, inBrowser } from './browser.js';

const PASSWORD = 'correct horse battery';

async function authorizationServer(): Promise<TestServer> {
  const built = new URL('../../../dist/plugins/authorizations/index.js', import.meta.url);
  const { default: plugin } = (await import(built.href)) as { default: AnyPlugin };
  const server = await bootTest({ plugins: [{ plugin, config: {} }] });
  await server.command(['users', 'create', 'ann', '--password-stdin'], `${PASSWORD}\n`);
  return server;
}

async function application(server: TestServer, url: string): Promise<string> {
  const name = '<b>Notes & "Tasks"</b>';
  const { stdout } = await server.command(['apps', 'create', name, '--url', url, '--json']);
  return (JSON.parse(stdout) as { clientId: string }).clientId;
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Login').fill('ann');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PLUGBOARD_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('a person allows an application, with the keyboard alone, and goes back to it with a code', async () => {
  await using server = await authorizationServer();
  const back = createServer((_request, answer) => answer.end('back')).listen(0, '127.0.0.1');
  await once(back, 'listening');
  const home = `http://127.0.0.1:${(back.address() as AddressInfo).port}/`;
  const query = new URLSearchParams({
    client_id: await application(server, home),
    scope: 'repo read:org',
    state: '"><i>',
  });
  const address = `${await server.listen()}/login/oauth/authorize?${query.toString()}`;
  for (const colorScheme of ['light', 'dark'] as const)
    await inBrowser(address, async (page) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 740 });
      assert.equal(await page.locator('h1').textContent(), 'Allow <b>Notes & "Tasks"</b>?');
      await picture(page, `consent-${colorScheme}`);
      await assertAccessible(page);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(width, 360, 'nothing scrolls sideways');
      await logIn(page, 'not the password');
      await page.getByRole('alert').filter({ hasText: 'Bad credentials' }).waitFor();
      assert.equal(await page.getByLabel('Login').inputValue(), 'ann', 'what was typed stays');
      await logIn(page, PASSWORD);
      await page.waitForURL(`${home}*`);
      const { searchParams } = new URL(page.url());
      assert.match(searchParams.get('code') ?? '', /^[0-9a-f]{40}$/);
      assert.equal(searchParams.get('state'), '"><i>');
    });
  await inBrowser(address, async (page) => {
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${home}*error=access_denied*`);
  });
  back.close();
});

test('a person connects a device: sees what it asks for before allowing it', async () => {
  await using server = await authorizationServer();
  const url = await server.listen();
  const started = await fetch(`${url}/login/device/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ client_id: await application(server, 'https://a.example'), scope: 'gist' }),
  });
  const { user_code: code } = (await started.json()) as { user_code: string };
  await inBrowser(`${url}/login/device`, async (page) => {
    await page.getByLabel('Code').fill('WRNG-CDXX');
    await logIn(page, PASSWORD);
    await page.getByRole('alert').filter({ hasText: 'There is no such code' }).waitFor();
    await page.getByLabel('Code').fill(code.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByText('asks to use your account with these scopes').waitFor();
    await picture(page, 'device');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Allow' }).press('Enter');
    await page.getByRole('heading', { name: 'Your device is connected' }).waitFor();
  });
});
