/** Data: a write is taken back, unless somebody changed its rows since. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { bootAll, FACT, type AllPlugins } from './all-plugins.js';
import { assertAccessible, inBrowser } from './browser.js';
import { logIn } from './console.js';

let all: AllPlugins;
let authorization = '';
before(async () => {
  all = await bootAll();
  authorization = `Bearer ${await all.server.key('*')}`;
});
after(() => all[Symbol.asyncDispose]());

/** What another person does meanwhile. Answers the text of the rows. */
async function elsewhere(method: 'GET' | 'POST' | 'PATCH', path: string, body?: string): Promise<string> {
  const headers = {
    authorization,
    prefer: 'return=representation',
    ...(body && { 'content-type': 'application/json' }),
  };
  const answer = await all.server.inject({
    method,
    url: `/data/${path}`,
    headers,
    ...(body && { payload: body }),
  });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.body;
}

async function onTable(name: string, use: (page: Page, row: (text: string) => Locator) => Promise<void>) {
  await inBrowser(`${all.url}/console/dataquery/tables?table=${name}`, async (page) => {
    await logIn(page);
    const grid = page.getByRole('table', { name });
    await use(page, (text) => grid.getByRole('row').filter({ hasText: text }));
  });
}

async function edit(page: Page, cell: Locator, column: string, value: string): Promise<void> {
  await cell.click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: column, exact: true }).fill(value);
  await form.getByRole('button', { name: 'Save' }).click();
}

test('an edit is undone by the notice, one that another changed since is not, and nobody is overwritten', async () => {
  await onTable('films', async (page, row) => {
    const title = (text: string): Locator => row(text).getByRole('button', { name: text, exact: true });
    const undo = page.getByRole('button', { name: 'Undo' });
    await edit(page, title('Ran'), 'title', 'Kagemusha');
    await row('Kagemusha').waitFor();
    await page.getByText('Saved').waitFor();
    await assertAccessible(page);
    await undo.click();
    await page.getByText('Undone').waitFor();
    await title('Ran').waitFor();
    assert.equal(await elsewhere('GET', 'films?title=eq.Ran&select=note'), '[{"note":""}]');

    await edit(page, title('Ran'), 'title', 'Mine');
    await row('Mine').waitFor();
    await elsewhere('PATCH', 'films?title=eq.Mine', '{"title":"Theirs"}');
    await undo.click();
    await page.getByRole('alert').filter({ hasText: 'Not undone' }).waitFor();
    await title('Theirs').click();
    await elsewhere('PATCH', 'films?title=eq.Theirs', '{"title":"Theirs again"}');
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'title' }).fill('Mine again');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').filter({ hasText: 'was changed since it was read' }).waitFor();
    await form.getByRole('button', { name: 'Cancel' }).last().click();
    await title('Theirs again').waitFor();
  });
});

test('an insert and a deletion are undone, also by the keyboard, and a key that is taken is said', async () => {
  await onTable('films', async (page, row) => {
    await page.getByRole('button', { name: 'Insert row' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'title' }).fill('Ikiru');
    await form.getByRole('button', { name: 'Insert row' }).click();
    await row('Ikiru').waitFor();
    await form.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await row('Ikiru').waitFor({ state: 'detached' });
    await page.getByText('Undone').waitFor();

    const [stored] = JSON.parse(await elsewhere('POST', 'films', '{"title":"Yojimbo"}')) as { id: number }[];
    await page.reload();
    const remove = async (): Promise<void> => {
      await row('Yojimbo').getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete 1 row' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 row' }).click();
      await row('Yojimbo').waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Yojimbo').waitFor();
    await page.getByText('Undone').first().waitFor();
    await remove();
    await elsewhere('POST', 'films', JSON.stringify({ id: stored!.id, title: 'Another' }));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').filter({ hasText: 'duplicate key' }).waitFor();
    await row('Another').waitFor();
  });
});

test('values that a browser would round, or an address bend, come back as they were', async () => {
  await elsewhere('POST', 'facts', FACT);
  const stored = await elsewhere('GET', 'facts');
  await onTable('facts', async (page, row) => {
    const fact = row('9007199254740993');
    for (const [column, value] of Object.entries({
      price: '1.5',
      tags: '["x"]',
      extra: '{"n": 1}',
      seen: '2027-01-01T00:00:00Z',
      score: '0.7',
    })) {
      await edit(page, fact.getByTitle(`Edit ${column}`), column, value);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone').first().waitFor();
      await page.getByRole('button', { name: 'Close' }).first().click();
      assert.equal(await elsewhere('GET', 'facts'), stored, column);
    }
    await fact.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 row' }).click();
    await fact.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await fact.waitFor();
    assert.equal(await elsewhere('GET', 'facts'), stored);
  });
});
