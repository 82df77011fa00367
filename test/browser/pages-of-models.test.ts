/** The pages of what uses models: playground, memory, router, speech, and what a key used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { CAPITALS } from './all-plugins.js';
import { assertAccessible, inBrowser } from './browser.js';
import { bootConsole, builtIn, logIn } from './console.js';
import { HOSTILE } from './hostile-data.js';
import { onPage, served } from './on-page.js';

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
    const why = page.getByRole('searchbox', { name: 'Find a memory in question' });
    await why.fill('nothing of the kind');
    await page.getByText('Nothing matches').waitFor();
    await why.fill('invoice');
    await others.getByText('Rank 2 is beyond the limit of 1').waitFor();
    await assertAccessible(page);
  });
});

test('Router: upstreams, usage as a chart with its table, and from there the calls', async () => {
  const headers = { authorization: `Bearer ${await served().server.key('*')}` };
  const messages = [{ role: 'user', content: 'the capital of Peru' }];
  const chat = (model: string) =>
    served().server.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers,
      payload: { model, messages },
    });
  const answer = await chat('up/one');
  assert.equal(answer.statusCode, 200, answer.body);
  await onPage('/router/router', async (page) => {
    const upstreams = page.getByRole('table', { name: 'Upstreams' });
    await upstreams.getByText('healthy').waitFor();
    // A failure is seen before enough of them open the circuit.
    assert.equal((await chat('up/broken')).statusCode, 502);
    await page.reload();
    await upstreams.getByText(/calls? failed/).waitFor();
    await upstreams.getByText(/^broken: /).waitFor();
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
  await form.getByLabel(/^Address/).fill(served().upstream);
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
  await inBrowser(`${own}/console`, async (page) => {
    await logIn(page);
    await page.getByRole('link', { name: 'Add an upstream' }).click();
    await page.getByText('No upstream yet').waitFor();
    await page.goto(`${own}/console/playground/playground`);
    await page.getByText('No model yet').waitFor();
    await page.getByLabel(/^Name/).fill('mine');
    await page.getByLabel(/^Address/).fill(served().upstream);
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

test('Keys: one opens with what it used of models, what that cost, and what limits it', async () => {
  const headers = { authorization: `Bearer ${await served().server.key('*')}` };
  const post = (url: string, payload: object, more = headers) =>
    served().server.inject({ method: 'POST', url, headers: more, payload });
  const { key } = (await post('/api/keys', { name: 'intern-1', scopes: ['chat'] })).json<{ key: string }>();
  const rule = { key: 'intern-*', models: ['up/*'], budget: { usd: 20, per: 'day' } };
  await served().server.inject({ method: 'PUT', url: '/api/allowances/interns', headers, payload: rule });
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
