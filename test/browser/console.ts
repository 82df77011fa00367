/** The console as tests open it: a server with its plugin, and a person who logs in. */
import type { Page } from 'playwright-core';
import { bootTest, type AnyPlugin, type TestServer } from 'plugboard/testing';

export const ADMIN_PASSWORD = 'correct horse battery';

/** A plugin that is built in, by its folder. */
export async function builtIn(name: string): Promise<AnyPlugin> {
  const built = new URL(`../../../dist/plugins/${name}/index.js`, import.meta.url);
  return ((await import(built.href)) as { default: AnyPlugin }).default;
}

type Options = NonNullable<Parameters<typeof bootTest>[0]>;

/** A server with the console. */
export async function bootConsole({
  plugins = [],
  auth = {},
  ...options
}: Options = {}): Promise<TestServer> {
  return bootTest({
    ...options,
    plugins: [{ plugin: await builtIn('console') }, ...plugins],
    auth: { adminPassword: ADMIN_PASSWORD, ...auth },
  });
}

export async function logIn(page: Page, password = ADMIN_PASSWORD): Promise<void> {
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
}

export async function signedIn(page: Page, login: string, password: string): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(login);
  await logIn(page, password);
}
