/** One server with every plugin for the tests of a file, and its pages as they open them. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import { bootAll, type AllPlugins } from './all-plugins.js';
import { inBrowser } from './browser.js';
import { logIn } from './console.js';
import { assertDocumented, callsOf } from './documented.js';

let all: AllPlugins;
before(async () => {
  all = await bootAll();
});
after(() => all[Symbol.asyncDispose]());

/** Inside a test. */
export function served(): AllPlugins {
  return all;
}

/** Opens a page of the console, logged in, in light and in dark on a narrow screen at the end. */
export async function onPage(path: string, use: (page: Page) => Promise<void>): Promise<void> {
  await inBrowser(`${all.url}/console${path}`, async (page) => {
    const calls = callsOf(page);
    await logIn(page);
    await use(page);
    await assertDocumented(all.server, calls);
    assert.equal(await page.locator('img').count(), 0, 'a name became HTML');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(overflow) <= 0, `${String(overflow)} pixels too wide`);
  });
}
