/** The pages of the built-in plugins, those of models apart: what a person does on each, empty, full, failing and with hostile names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible } from './browser.js';
import { HOSTILE } from './hostile-data.js';
import { onPage, served } from './on-page.js';

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
    await page.getByRole('option', { name: 'films' }).waitFor();
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

test('Accounts: a list, and what an account still needs', async () => {
  const key = await served().server.key('accounts');
  await onPage('/accounts/accounts', async (page) => {
    await page.getByText('No account yet').waitFor();
    await assertAccessible(page);
    const made = await served().server.inject({
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
    const headers = { authorization: `Bearer ${await served().server.key('*')}` };
    for (const scope of ['chat', 'no such scope'])
      await served().server.inject({
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
    await page.goto(`${served().url}/console/console/metrics`);
    await page.getByRole('searchbox', { name: /Search/ }).fill('uptime');
    await page.getByRole('table', { name: 'Other series' }).getByText('process_uptime_seconds').waitFor();
    await page.getByRole('searchbox', { name: /Search/ }).fill('/-/metrics');
    await page
      .getByRole('table', { name: 'Requests by route' })
      .getByRole('cell', { name: 'GET /-/metrics' })
      .waitFor();
    await assertAccessible(page);
    await page.goto(`${served().url}/console/console/config`);
    await page.getByRole('button', { name: /^plugins\.memory / }).click();
    await page.getByRole('region', { name: /^plugins\.memory / }).waitFor();
    await page.getByRole('searchbox', { name: /Search/ }).fill('baseUrl');
    const router = page.getByRole('region', { name: /^plugins\.router / });
    await router.getByText('"apiKey": "[secret]"').waitFor();
    await page.getByRole('button', { name: /^plugins\.memory / }).waitFor({ state: 'detached' });
    await assertAccessible(page);
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
  const known = await served().server.inject({
    method: 'POST',
    url: '/api/events/directory',
    headers: { authorization: `Bearer ${await served().server.key('events:write')}` },
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
    await page.goto(`${served().url}/console/events/events?feed=repository&name=jonas/none`);
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
    const told = await served().server.inject({
      method: 'POST',
      url: '/api/events',
      headers: { authorization: `Bearer ${await served().server.key('events:write')}` },
      payload: { events: [event] },
    });
    assert.equal(told.statusCode, 201, told.body);
    await page.getByRole('row', { name: /ForkEvent/ }).waitFor();
    await page.goto(`${served().url}/console/events/events?view=directory`);
    await page.getByRole('row', { name: /jonas/ }).waitFor();
  });
});

test('Tokens and Limits: a token of a user is found and revoked, and who is near a limit is shown', async () => {
  const password = 'nine yellow submarines';
  const headers = { authorization: `Bearer ${await served().server.key('*')}` };
  const post = (path: string, payload: object, more = headers) =>
    served().server.inject({ method: 'POST', url: path, headers: more, payload });
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
  for (let time = 0; time < 90; time += 1)
    await served().server.inject({ url: '/data/films?limit=1', headers });
  await onPage('/ratelimit/limits', async (page) => {
    const callers = page.getByRole('table', { name: 'Callers' });
    await callers.getByRole('row').filter({ hasText: 'data' }).first().getByText('Near the limit').waitFor();
    await assertAccessible(page);
  });
});
