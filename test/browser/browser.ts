/** A real Chromium for tests of pages, out of a package: nothing is installed on the machine, and nothing is skipped. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

let browser: Browser;
let folder = '';

before(async () => {
  // The package unpacks into the temporary folder and takes whatever is there: it gets one of its own.
  folder = await mkdtemp(join(tmpdir(), 'plugboard-browser-'));
  process.env['TMPDIR'] = folder;
  process.env['FONTCONFIG_FILE'] = await writeFontConfig();
  // With it the package brings the libraries that Chromium needs besides the C library.
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs20.x';
  const { default: packed } = await import('@sparticuz/chromium');
  browser = await chromium.launch({
    executablePath: await packed.executablePath(),
    // Those of the package switch the browser's own protection off. Containers run as root, where it has no sandbox.
    args: ['--no-sandbox'],
  });
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** That of the package names fixed folders; without any font Chromium ends. */
async function writeFontConfig(): Promise<string> {
  const file = join(folder, 'fonts.conf');
  const dirs = [join(folder, 'fonts'), '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`).join('');
  await writeFile(
    file,
    `<fontconfig>${dirs}<cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>`,
  );
  return file;
}

/** Opens the address in a window of its own, where nothing is shown half-way. What the page throws or complains of fails the test. */
export async function inBrowser(url: string, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A refused call is on the console too: that is the answer which the page shows.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    await page.goto(url);
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Fails when people who use a screen reader, a keyboard or little contrast cannot use what the page shows now. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(WCAG)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(', ')))`,
  );
  assert.deepEqual(found, []);
}
