/** The pages of the built-in plugins: what a person does on each, empty, full, failing and with hostile names. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestServer } from 'plugboard/testing';
import { bootAll, CAPITALS, type AllPlugins } from './all-plugins.js';
import { assertAccessible, inBrowser } from './browser.js';
import { bootConsole, builtIn, logIn } from './console.js';
import { assertDocumented, callsOf } from './documented.js';
import { HOSTILE } from './hostile-data.js';

let all: AllPlugins;
let server: TestServer;
let url = '';
before(async () => {
  all = await bootAll();
  ({ server, url } = all);
});
after(() => all[Symbol.asyncDispose]());

/** Opens a page of the console, logged in, in light and in dark on a narrow screen at the end. */
async function onPage(path: string, use: (page: Page) => Promise<void>): Promise<void> {
  await inBrowser(`${url}/console${path}`, async (page) => {
    const calls = callsOf(page);
    await logIn(page);
    await use(page);
    await assertDocumented(server, calls);
    assert.equal(await page.locator('img').count(), 0, 'a name became HTML');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(overflow) <= 0, `${String(overflow)} pixels too wide`);
  });
}

test('Data: rows are shown with related ones, changed, inserted, filtered and deleted', async () => {
  await onPage('/dataquery/tables?table=films', async (page) => {
    const grid = page.getByRole('table', { name: 'films' });
    const row = (text: string) => grid.getByRole('row').filter({ hasText: text });
    await row('Ran').getByText('empty text').waitFor();
    await row(HOSTILE).getByText('NULL').waitFor();
    await assertAccessible(page);

    await row('Ran').getByRole('button', { name: 'Ran' }).click();
    const form = page.getByRole('dialog', { name: 'Edit row: films' });
    await form.getByRole('textbox', { name: 'title' }).fill('Kagemusha');
    await form.getByRole('button', { name: 'Set note to NULL' }).click();
    await assertAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await row('Kagemusha').getByText('NULL').first().waitFor();

    await page.getByRole('button', { name: 'Insert row' }).click();
    const added = page.getByRole('dialog', { name: 'New row: films' });
    await added.getByRole('textbox', { name: 'director_id' }).fill('many');
    await added.getByRole('textbox', { name: 'title' }).fill('Ikiru');
    await added.getByRole('button', { name: 'Insert row' }).click();
    await added.getByRole('alert').filter({ hasText: 'many' }).waitFor();
    assert.equal(
      await added.getByRole('textbox', { name: 'title' }).inputValue(),
      'Ikiru',
      'an error keeps the input',
    );
    await added.getByRole('textbox', { name: 'director_id' }).fill('1');
    await added.getByRole('button', { name: 'Insert row' }).click();
    await row('Ikiru').waitFor();

    const filters = page.getByRole('textbox', { name: 'Query string' });
    await filters.fill('title=eq.Ikiru');
    await filters.press('Enter');
    await row('Kagemusha').waitFor({ state: 'detached' });
    assert.match(page.url(), /filter=title%3Deq\.Ikiru/);
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByText('1 rows match').waitFor();
    await row('Ikiru').getByRole('checkbox').check();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await page.getByRole('button', { name: 'Delete 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 row' }).click();
    await page.getByText('Nothing matches').waitFor();
    await filters.fill('');
    await filters.press('Enter');

    // What was read before is shown until it is read again.
    await row('Kagemusha').waitFor();
    await row('Ikiru').waitFor({ state: 'detached' });
    await row(HOSTILE).getByRole('button', { name: 'Open the row of directors' }).click();
    await page.getByRole('table', { name: 'directors' }).getByText(HOSTILE).waitFor();
  });
});

test('Data: a table is found by a part of its name, with the keyboard alone, and on a phone', async () => {
  await onPage('/dataquery/tables', async (page) => {
    await page.getByRole('table', { name: 'directors' }).waitFor();
    const filter = page.getByRole('searchbox', { name: 'Find a table' });
    const tables = page.getByRole('group', { name: 'Tables' });
    await filter.fill('ILM');
    assert.deepEqual(await tables.getByRole('button').allTextContents(), ['films']);
    await filter.press('Enter');
    await page.getByRole('table', { name: 'films' }).waitFor();
    assert.equal(await tables.getByRole('button', { name: 'films' }).getAttribute('aria-current'), 'true');
    await filter.fill('none of them');
    await tables.getByText('No table has this name').waitFor();
    await assertAccessible(page);
    await filter.press('Escape');
    await filter.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'directors' }).waitFor();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('combobox', { name: 'Table' }).fill('ilm');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'films' }).waitFor();
  });
});

test('Data: a CSV file is taken in, and a bad one says which row', async () => {
  await onPage('/dataquery/tables?table=directors', async (page) => {
    const importing = async (name: string, text: string): Promise<void> => {
      await page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
    };
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await importing('bad.csv', 'id,name\nx,Bad\n');
    await page.getByText('Stopped before row 1').waitFor();
    await assertAccessible(page);
    const rows = Array.from({ length: 1200 }, (_row, at) => `${at + 10},"Director, ${at}"`);
    await importing('good.csv', ['id,name', ...rows].join('\n'));
    await page.getByText('Imported 1,200 rows').waitFor();
    await page.getByRole('table', { name: 'directors' }).getByText('Director, 0').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100').waitFor();
  });
});

test('Playground: two models answer the same message, one is stopped alone, and presets are kept', async () => {
  await onPage('/playground/playground?view=two&model=up/one&other=up/two', async (page) => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Who are you?');
    await page.keyboard.press('Enter');
    const [one, two] = ['up/one', 'up/two'].map((name) =>
      page.getByRole('log', { name: `Conversation with ${name}` }),
    );
    await one!.getByText('I am one').waitFor();
    await one!.getByText('first token').waitFor();
    await one!.getByText('tokens').filter({ hasText: '3' }).waitFor();
    await two!.getByText('I am two').waitFor();
    await page.getByRole('button', { name: 'Stop up/two' }).click();
    await two!.getByText('stopped').waitFor();
    await assertAccessible(page);

    await page.getByRole('textbox', { name: 'System prompt' }).fill('Answer.');
    await page.route('**/api/playground/improve-prompt', (route) =>
      route.fulfill({ json: { improvedSystem: 'Answer briefly.' } }),
    );
    await page.getByRole('button', { name: 'Improve the system prompt' }).click();
    const difference = page.getByRole('dialog').getByRole('insertion').first();
    assert.notEqual(
      await difference.evaluate('(added) => getComputedStyle(added).backgroundColor'),
      'rgba(0, 0, 0, 0)',
    );
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Keep' }).last().click();
    await page.getByRole('button', { name: 'Save as preset' }).click();
    await page.getByLabel('Name of the preset').fill(HOSTILE);
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(`Saved "${HOSTILE}"`).waitFor();
  });
});

test('Playground: a prompt in two versions over two models on ten examples, which is better and what it cost', async () => {
  await onPage('/playground/playground?model=up/one', async (page) => {
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Answer in one word.');
    await page.getByRole('button', { name: 'Save as preset' }).click();
    await page.getByLabel('Name of the preset').fill('Capitals');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved "Capitals"').waitFor();
    await page.getByText('Versions', { exact: true }).click();
    await page.getByText('No version yet').waitFor();
    await assertAccessible(page);
    for (const [version, prompt] of ['{{country}}?', 'Name the capital of {{country}}.'].entries()) {
      await page.getByRole('button', { name: 'New version' }).click();
      const form = page.getByRole('dialog', { name: 'New version' });
      await form.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
      if (version === 0) await assertAccessible(page);
      await form.getByRole('button', { name: 'Keep version' }).click();
      await page.getByText(`Version ${version + 1} is kept`).waitFor();
    }
    await page.getByRole('button', { name: 'Examples (0)' }).click();
    const form = page.getByRole('dialog', { name: 'Examples' });
    for (const [at, [country, capital]] of CAPITALS.entries()) {
      await form.getByRole('button', { name: 'Add example' }).click();
      const example = form.getByRole('group', { name: `Example ${at + 1}`, exact: true });
      await example.getByRole('textbox', { name: 'country' }).fill(country);
      await example.getByRole('textbox', { name: 'Text' }).fill(capital);
    }
    await assertAccessible(page);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Examples (10)' }).waitFor();

    await page.getByRole('combobox', { name: 'Over models' }).click();
    await page.getByRole('option', { name: 'up/two' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run (40 calls)' }).click();
    const better = page.getByRole('table', { name: 'Which is better' });
    const best = better.getByRole('row').filter({ hasText: 'best' });
    await best.getByText('10 / 10').waitFor();
    // 20 calls of each model, 10 tokens in and 2 out of each.
    assert.match((await best.textContent()) ?? '', /^2up\/one10 \/ 10best/);
    assert.match((await best.textContent()) ?? '', /100 \/ 20\$0\.00012$/);
    const whole = better.getByRole('row').filter({ hasText: 'The whole run' });
    assert.match((await whole.textContent()) ?? '', /\$0\.0026$/);
    await assertAccessible(page);
    const answers = page.getByRole('table', { name: 'Answers' });
    await answers
      .getByRole('button', { name: /a city/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByText(/lacks "/)
      .waitFor();
    await assertAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Actions for version 2' }).click();
    await page.getByRole('menuitem', { name: 'Label as production' }).click();
    await page.getByRole('table', { name: 'Versions' }).getByText('production').waitFor();
  });
});

test('Memory: a memory is written, and a question says what it recalls and why not the rest', async () => {
  await onPage('/memory/entries', async (page) => {
    await page.getByText('Nothing is remembered yet').waitFor();
    await assertAccessible(page);
    for (const [key, content] of [
      [HOSTILE, 'She drinks her tea without sugar.'],
      ['work', 'The invoice was paid in March.'],
    ] as const) {
      await page.getByRole('button', { name: 'Remember' }).first().click();
      const form = page.getByRole('dialog', { name: 'New memory' });
      await form.getByLabel('Content').fill(content);
      await form.getByLabel('Key').fill(key);
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('table').getByText(content).waitFor();
    }
    await page.getByText('Preview', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('How does she take her tea?');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Found' }).getByText('She drinks her tea').waitFor();
    await page.getByRole('textbox', { name: 'Most memories' }).fill('1');
    await page.getByRole('textbox', { name: 'Most memories' }).press('Enter');
    const others = page.getByRole('table', { name: 'Not recalled, and why' });
    await others
      .getByRole('row')
      .filter({ hasText: 'invoice' })
      .getByText('Rank 2 is beyond the limit of 1')
      .waitFor();
    await assertAccessible(page);
  });
});

test('Router: upstreams, usage as a chart with its table, and from there the calls', async () => {
  await onPage('/router/router', async (page) => {
    await page.getByRole('table', { name: 'Upstreams' }).getByText('healthy').waitFor();
    await assertAccessible(page);
    await addedByHand(page);
    await page.getByText('Usage', { exact: true }).click();
    await page.getByRole('combobox', { name: 'By' }).click();
    await page.getByRole('option', { name: 'By model' }).click();
    const usage = page.getByRole('table', { name: 'Usage' });
    await usage.getByRole('button', { name: 'up/one' }).waitFor();
    await page.getByText('Cost', { exact: true }).first().click();
    await assertAccessible(page);
    await usage.getByRole('button', { name: 'up/one' }).click();
    await page.getByRole('table', { name: 'Calls' }).getByText('up/one').first().click();
    await page.getByRole('dialog', { name: 'The call' }).getByText('Purpose').waitFor();
    await assertAccessible(page);
    assert.match(page.url(), /model=up%2Fone/);
  });
});

/** An upstream is added, tried, given another key and removed. */
async function addedByHand(page: Page): Promise<void> {
  const table = page.getByRole('table', { name: 'Upstreams' });
  await page.getByRole('button', { name: 'Add an upstream' }).click();
  const form = page.getByRole('dialog', { name: 'Add an upstream' });
  await form.getByLabel(/^Name/).fill('added');
  await form.getByLabel(/^Address/).fill('nowhere');
  await form.getByRole('button', { name: 'Add an upstream' }).click();
  await form.getByText(/baseUrl/).waitFor();
  await form.getByLabel(/^Address/).fill(all.upstream);
  await form.getByRole('textbox', { name: /^API key/ }).fill('secret-key');
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Add an upstream' }).click();
  await table.getByText('added').waitFor();
  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for added' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Try a model');
  await page.getByRole('dialog').getByLabel('Model').fill('one');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('dialog').getByText('I am one').waitFor();
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await choose('Give a new key');
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^API key/ })
    .fill('another');
  await page.getByRole('dialog').getByRole('button', { name: 'Give a new key' }).click();
  await page.getByText('"added" has the new key').waitFor();
  await choose('Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await table.getByText('added').waitFor({ state: 'detached' });
}

test('Playground: where there is no model yet an upstream is added by a form, and chats', async () => {
  const first = await bootConsole({
    plugins: await Promise.all(
      ['router', 'playground'].map(async (id) => ({ id, plugin: await builtIn(id) })),
    ),
  });
  const own = await first.listen();
  await inBrowser(`${own}/console/playground/playground`, async (page) => {
    await logIn(page);
    await page.getByText('No model yet').waitFor();
    await page.getByLabel(/^Name/).fill('mine');
    await page.getByLabel(/^Address/).fill(all.upstream);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Add an upstream' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Who are you?');
    await page.keyboard.press('Enter');
    await page.getByText('I am one').waitFor();
  });
  await first.stop();
});

test('Speech: voices are searched, and a text is spoken and explained', async () => {
  await onPage('/speech/speech', async (page) => {
    await page.getByText('71 voices').waitFor();
    await page.getByRole('searchbox', { name: 'Search by name or dialect' }).fill('sera');
    await page.getByRole('radio', { name: /sera/ }).check();
    await page.getByRole('region', { name: 'How it is read' }).waitFor();
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.locator('audio').waitFor();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await assertAccessible(page);

    const own = page.getByRole('region', { name: 'Your pronunciations' });
    await own.getByLabel('Word').fill('ABBA');
    await own.getByLabel('Read as, in Hangul').fill('abba');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByRole('alert').waitFor();
    await own.getByLabel('Read as, in Hangul').fill('아바');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('ABBA → 아바').waitFor();
    await own.getByRole('button', { name: 'Edit ABBA' }).click();
    await own.getByLabel('Read as, in Hangul').fill('압바');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('ABBA → 압바').waitFor();
    const heard = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/audio/speech'));
    await own.getByRole('button', { name: 'Hear ABBA' }).click();
    assert.equal((await heard).status(), 200);
    await assertAccessible(page);
    await own.getByRole('button', { name: 'Take away ABBA' }).click();
    await own.getByText('ABBA → 압바').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await own.getByText('ABBA → 압바').waitFor();

    const plans = page.getByRole('region', { name: 'Seconds of keys' });
    await plans.getByRole('combobox', { name: 'Key' }).click();
    await page.getByRole('option', { name: 'first key' }).click();
    await plans.getByLabel('Seconds a month').fill('120');
    await plans.getByRole('button', { name: 'Save' }).click();
    await plans.getByText('120 s a month').waitFor();
    await assertAccessible(page);
    await plans.getByRole('button', { name: 'Take away the plan of first key' }).click();
    await plans.getByText('120 s a month').waitFor({ state: 'detached' });
  });
});

test('Accounts: a list, and what an account still needs', async () => {
  const key = await server.key('accounts');
  await onPage('/accounts/accounts', async (page) => {
    await page.getByText('No account yet').waitFor();
    await assertAccessible(page);
    const made = await server.inject({
      method: 'POST',
      url: '/v2/core/accounts',
      headers: { authorization: `Bearer ${key}` },
      payload: { display_name: HOSTILE, contact_email: 'kim@example.com', configuration: { customer: {} } },
    });
    assert.equal(made.statusCode, 200, made.body);
    await page.reload();
    await page.getByRole('row').filter({ hasText: HOSTILE }).press('Enter');
    const account = page.getByRole('dialog', { name: HOSTILE });
    await account.getByText('Nothing: it has all that was asked for.').waitFor();
    await assertAccessible(page);
  });
});

test('Audit: an operation is one row, with its outcome and how long it took', async () => {
  await onPage('/auth/audit?action=POST%20/api/keys', async (page) => {
    const headers = { authorization: `Bearer ${await server.key('*')}` };
    for (const scope of ['chat', 'no such scope'])
      await server.inject({
        method: 'POST',
        url: '/api/keys',
        headers,
        payload: { name: 'Audited', scopes: [scope] },
      });
    const rows = page.getByRole('table', { name: 'Audit' }).getByRole('row').filter({ hasText: '/api/keys' });
    for (const outcome of ['done', 'refused: 400']) {
      await page.reload();
      const row = rows.filter({ has: page.getByText(outcome, { exact: true }) }).first();
      await row.getByText(/^\d+ ms$|^\d+\.\d s$/).waitFor();
    }
    assert.equal(await rows.getByText('no result').count(), 0);
    assert.equal(await rows.getByText('started').count(), 0);
    await assertAccessible(page);
  });
});

test('Jobs: those of all plugins by their state', async () => {
  await onPage('/jobs/jobs', async (page) => {
    await page.getByRole('table', { name: 'Jobs' }).getByText('memory:').first().waitFor();
    await page.getByText('Failed', { exact: true }).click();
    await page.getByText('Nothing matches').waitFor();
    await assertAccessible(page);
  });
});

test('Health, Metrics, Config: what works, what is measured, what is in force, and no secret', async () => {
  await onPage('/console/health', async (page) => {
    const plugins = page.getByRole('table', { name: 'Plugins' });
    await plugins.getByRole('row', { name: 'memory Works' }).waitFor();
    await page
      .getByRole('table', { name: 'Upstreams' })
      .getByRole('row', { name: /^up Works/ })
      .waitFor();
    await page.goto(`${url}/console/console/metrics`);
    await page.getByRole('searchbox', { name: /Search/ }).fill('uptime');
    await page.getByRole('table', { name: 'All series' }).getByText('process_uptime_seconds').waitFor();
    await page.goto(`${url}/console/console/config`);
    await page.getByRole('searchbox', { name: /Search/ }).fill('baseUrl');
    const router = page.getByRole('region', { name: 'plugins.router', exact: true });
    await router.getByText('"apiKey": "[secret]"').waitFor();
    await page.getByRole('region', { name: 'plugins.memory', exact: true }).waitFor({ state: 'detached' });
  });
});

test('Webhooks: an endpoint is added with its secret shown once, paused and deleted', async () => {
  await onPage('/changes/webhooks', async (page) => {
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add endpoint' });
    await form.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await form.getByRole('combobox', { name: 'Types' }).fill('*');
    await form.getByRole('combobox', { name: 'Types' }).press('Enter');
    await form.getByLabel('Description').fill(HOSTILE);
    await form.getByRole('button', { name: 'Add endpoint' }).click();
    const secret = page.getByRole('dialog', { name: 'Signing secret' });
    await secret
      .getByRole('region', { name: 'Signing secret' })
      .getByText(/^whsec_/)
      .waitFor();
    await assertAccessible(page);
    await secret.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: HOSTILE });
    await row.getByRole('button', { name: /^Pause/ }).click();
    await row.getByText('paused').waitFor();
    await row.getByRole('button', { name: 'http://127.0.0.1:9/hook', exact: true }).click();
    await page.getByText('Nothing matches').waitFor();
    await page.goBack();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoint yet').waitFor();
  });
});

test('Events: an event is published, opened, and found in the feed of its repository and the directory', async () => {
  const put = {
    users: [
      { id: 901, login: 'lin' },
      { id: 902, login: 'jonas' },
    ],
    repositories: [{ id: 903, name: 'jonas/tides' }],
  };
  const known = await server.inject({
    method: 'POST',
    url: '/api/events/directory',
    headers: { authorization: `Bearer ${await server.key('events:write')}` },
    payload: { put },
  });
  assert.equal(known.statusCode, 200, known.body);
  await onPage('/events/events', async (page) => {
    await page.getByText('No event yet').waitFor();
    await page.getByRole('button', { name: 'Publish' }).first().click();
    await page.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published').waitFor();
    await page.getByRole('row', { name: /WatchEvent/ }).press('Enter');
    await page.getByRole('dialog', { name: 'WatchEvent' }).getByText('"login": "lin"').waitFor();
    await assertAccessible(page);
    await page.goto(`${url}/console/events/events?feed=repository&name=jonas/none`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('jonas/tides');
    await page.getByRole('row', { name: /WatchEvent/ }).waitFor();
    await page.getByLabel('Watch').check();
    const event = {
      type: 'ForkEvent',
      actor: { login: 'lin' },
      repo: { name: 'jonas/tides' },
      public: true,
    };
    const told = await server.inject({
      method: 'POST',
      url: '/api/events',
      headers: { authorization: `Bearer ${await server.key('events:write')}` },
      payload: { events: [event] },
    });
    assert.equal(told.statusCode, 201, told.body);
    await page.getByRole('row', { name: /ForkEvent/ }).waitFor();
    await page.goto(`${url}/console/events/events?view=directory`);
    await page.getByRole('row', { name: /jonas/ }).waitFor();
  });
});

test('Tokens and Limits: a token of a user is found and revoked, and who is near a limit is shown', async () => {
  const password = 'nine yellow submarines';
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  const post = (path: string, payload: object, more = headers) =>
    server.inject({ method: 'POST', url: path, headers: more, payload });
  await post('/api/users', { login: 'uma', password });
  const authorization = `Basic ${Buffer.from(`uma:${password}`).toString('base64')}`;
  const made = await post('/authorizations', { note: HOSTILE, scopes: ['gist'] }, { authorization });
  const { token } = made.json<{ token: string }>();
  await onPage('/authorizations/tokens', async (page) => {
    await page.getByPlaceholder('Login, exactly').fill('nobody');
    await page.getByText('Nothing matches').waitFor();
    await page.getByPlaceholder('Login, exactly').fill('uma');
    const row = page.getByRole('row').filter({ hasText: 'uma' });
    await row.getByText(HOSTILE).waitFor();
    assert.ok(!(await page.content()).includes(token));
    await assertAccessible(page);
    await row.getByRole('button', { name: /^Revoke/ }).click();
    const question = page.getByRole('dialog', { name: /^Revoke the token/ });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The token is revoked').waitFor();
    await page.getByText('Nothing matches').waitFor();
  });
  for (let time = 0; time < 90; time += 1) await server.inject({ url: '/data/films?limit=1', headers });
  await onPage('/ratelimit/limits', async (page) => {
    const callers = page.getByRole('table', { name: 'Callers' });
    await callers.getByRole('row').filter({ hasText: 'data' }).first().getByText('Near the limit').waitFor();
    await assertAccessible(page);
  });
});

test('Keys: one opens with what it used of models, what that cost, and what limits it', async () => {
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  const post = (url: string, payload: object, more = headers) =>
    server.inject({ method: 'POST', url, headers: more, payload });
  const { key } = (await post('/api/keys', { name: 'intern-1', scopes: ['chat'] })).json<{ key: string }>();
  const rule = { key: 'intern-*', models: ['up/*'], budget: { usd: 20, per: 'day' } };
  await server.inject({ method: 'PUT', url: '/api/allowances/interns', headers, payload: rule });
  const chat = { model: 'up/two', messages: [{ role: 'user', content: 'the capital of Peru' }] };
  assert.equal(
    (await post('/v1/chat/completions', chat, { authorization: `Bearer ${key}` })).statusCode,
    200,
  );
  await onPage('/auth/keys', async (page) => {
    await page.getByPlaceholder(/^Search/).fill('intern-1');
    await page.getByRole('row').filter({ hasText: 'intern-1' }).getByText('intern-1').click();
    const drawer = page.getByRole('dialog', { name: 'intern-1' });
    await drawer.getByText('Models this month').waitFor();
    await drawer.getByText('$0.0001', { exact: true }).waitFor();
    await drawer.getByText('Budget of today: $0.0001 / $20.00').waitFor();
    await drawer.getByText('Only up/*').waitFor();
    await assertAccessible(page);
  });
});
