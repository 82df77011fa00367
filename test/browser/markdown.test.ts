/** Playground: what a model says is shown as Markdown, and can do nothing to the page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { bootAll, SAY, type AllPlugins } from './all-plugins.js';
import { assertAccessible, inBrowser } from './browser.js';
import { logIn } from './console.js';

let all: AllPlugins;
before(async () => {
  all = await bootAll();
});
after(() => all[Symbol.asyncDispose]());

async function onPlayground(use: (page: Page, log: Locator) => Promise<void>): Promise<void> {
  await inBrowser(`${all.url}/console/playground/playground?model=up/one`, async (page) => {
    await logIn(page);
    await use(page, page.getByRole('log', { name: 'Conversation with up/one' }));
  });
}

/** Makes the model say it. */
async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(SAY + text);
  await page.keyboard.press('Enter');
}

test('headings, lists, tables and code are shown as such, in light and dark, and the raw text at will', async () => {
  const text =
    '# Films\n\n1. *Ran*\n2. **Ikiru**\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n> quoted\n\n```ts\nlet a = 1;\n```';
  await onPlayground(async (page, log) => {
    await say(page, text);
    await log.getByRole('heading', { name: 'Films', level: 3 }).waitFor();
    await log.getByText('tokens').waitFor();
    assert.deepEqual(await log.getByRole('listitem').allTextContents(), ['Ran', 'Ikiru']);
    assert.equal(await log.getByRole('cell', { name: '2' }).getAttribute('style'), 'text-align: right;');
    assert.equal(await log.getByRole('region', { name: 'ts' }).textContent(), 'let a = 1;');
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    const toggle = page.getByRole('button', { name: 'Show the raw text of up/one' });
    await toggle.click();
    // The question, which has it too, is the first.
    assert.equal(await log.getByText('# Films').last().innerText(), text);
    assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
    await toggle.click();
    await log.getByRole('heading', { name: 'Films' }).waitFor();
  });
});

const SCRIPT = 'window.pwned=1';
const HARM = [
  `<script>${SCRIPT}</script>`,
  `<img src=x onerror="${SCRIPT}">`,
  `<svg onload="${SCRIPT}"><a href="javascript:${SCRIPT}">a</a>`,
  '<iframe src="https://evil.example/frame"></iframe><style>body{display:none}</style>',
  `[b](javascript:${SCRIPT})`,
  `[c](jAvAsCrIpT&#58;${SCRIPT})`,
  `[d](<java\tscript:${SCRIPT}>)`,
  `[e](data:text/html,<script>${SCRIPT}</script>) [f](vbscript:x) [g](//evil.example) [h](/console)`,
  `![i](data:image/svg+xml;base64,PHN2Zz4=) ![j](data:image/png;base64,AAAA) ![k](https://evil.example/k.png)`,
  `[l][m] ![n][m]\n\n[m]: javascript:${SCRIPT}`,
  `<javascript:${SCRIPT}> https://evil.example/"onmouseover="${SCRIPT}`,
  `\`\`\`"><img src=x onerror=${SCRIPT}>\n</code><img src=x onerror=${SCRIPT}>\n\`\`\``,
  '['.repeat(5000),
  '[the good one](https://good.example/)',
];

test('HTML of a model is text, its links open nothing but the web, and no picture is loaded', async () => {
  await onPlayground(async (page, log) => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(all.url)) foreign.push(request.url());
    });
    await say(page, HARM.join('\n\n'));
    await log.getByRole('link', { name: 'the good one' }).waitFor();
    await log.getByText('tokens').last().waitFor();
    await log.getByText(`<script>${SCRIPT}</script>`).last().waitFor();
    assert.equal(await page.evaluate('window.pwned'), undefined);
    assert.equal(
      await log.locator('img, svg:not(button svg), iframe, style, script, object, form').count(),
      0,
    );
    const links = await log
      .getByRole('link')
      .evaluateAll((found) =>
        (found as unknown as { href: string; target: string; rel: string }[]).map(({ href, target, rel }) => [
          href,
          target,
          rel,
        ]),
      );
    assert.deepEqual(
      links.filter(([href]) => !/^https:\/\/(evil|good)\.example\//.test(href ?? '')),
      [],
    );
    assert.deepEqual(
      links.filter(([, target, rel]) => target !== '_blank' || rel?.includes('noopener') !== true),
      [],
    );
    assert.deepEqual(foreign, []);
    for (const [at, mark] of ['- ', '> ', '1. '].entries()) {
      await say(page, `${mark.repeat(3000)}too deep\n\nThe last of ${at}.`);
      await log.getByText(`The last of ${at}.`).last().waitFor();
      await log
        .getByText('tokens')
        .nth(at + 1)
        .waitFor();
    }
    assert.equal(await log.getByText('The last of').count(), 6, 'in the questions and in the answers');
  });
});

test('an answer of 100,000 characters that comes by stream is written on, not written anew', async () => {
  const paragraphs = Array.from({ length: 1000 }, (_each, at) => `Paragraph **${at}** ${'word '.repeat(17)}`);
  await onPlayground(async (page, log) => {
    // Counts the elements that are made, and keeps the first one that comes.
    await log.evaluate(`(() => {
      const log = document.querySelector('[role=log]');
      window.made = 0;
      new MutationObserver((changes) => {
        window.first ??= log.querySelector('strong');
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node.nodeType === 1) window.made += 1 + node.querySelectorAll('*').length;
      }).observe(log, { childList: true, subtree: true });
    })()`);
    await say(page, paragraphs.join('\n\n'));
    await log.getByText('tokens').waitFor();
    await log.getByText('999').last().waitFor();
    assert.equal(await log.locator('strong').count(), 1000);
    assert.equal(await page.evaluate('window.first.isConnected'), true);
    const [made, there] = (await page.evaluate(
      `[window.made, document.querySelectorAll('[role=log] *').length]`,
    )) as [number, number];
    assert.ok(made < there * 1.5, `${made} elements were made for ${there}`);
  });
});
