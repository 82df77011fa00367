/** Every code of the contract, provoked by its recipe: status, code, shape, and nothing stored. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { STORAGE, type Document } from 'plugboard/sdk';
import { format } from 'prettier';
import { CONTRACT, type ContractCode } from '../../../plugins/accounts/errors/errors.js';
import { RECIPES } from '../../../plugins/accounts/recipes/index.js';
import { recipePage } from '../../../plugins/accounts/recipes/page.js';
import type { Recipe, Step } from '../../../plugins/accounts/recipes/recipe.js';
import { root } from '../../support/fixtures.js';
import { bootAccounts, type AccountsServer, type Reply } from './support/server.js';

let shared: AccountsServer;

before(async () => {
  // Each recipe has a platform of its own, so that none sees what another one made.
  const platforms = RECIPES.map(({ code, platform = {}, livemode = false }) => [
    code,
    { keys: [code], livemode, settings: platform },
  ]);
  shared = await bootAccounts({ platforms: Object.fromEntries(platforms), testClockAdvance: 60_000 });
});
after(() => shared.stop());

test('there is one recipe for each of the 111 codes', () => {
  assert.equal(Object.keys(CONTRACT).length, 111);
  assert.deepEqual(
    RECIPES.map(({ code }) => code),
    Object.keys(CONTRACT).toSorted(),
  );
});

test('docs/accounts-errors.md is written from the recipes', async () => {
  const page = readFileSync(join(root, 'docs/accounts-errors.md'), 'utf8');
  assert.equal(
    page,
    await format(recipePage(), { parser: 'markdown' }),
    'run: node dist/tools/accounts-errors.js',
  );
});

for (const recipe of RECIPES) {
  const { code } = recipe;
  test(`${CONTRACT[code].status} ${code}`, async () => {
    if (recipe.config === undefined) return walk(shared, recipe, await keyNamed(shared, code));

    await using own = await bootAccounts(recipe.config);
    await walk(own, recipe, own.apiKey);
  });
}

async function walk(
  server: AccountsServer,
  { code, before: steps = [], request, extra }: Recipe,
  key: string,
) {
  const ids = new Map<string, string>();
  for (const step of steps) {
    const reply = await send(server, step, ids, key);
    assert.equal(reply.status, 200, `${step.path} ${JSON.stringify(reply.body)}`);
    if (step.name !== undefined) ids.set(step.name, reply.body.id);
  }
  const stored = await storedAccounts(server);
  const { status, headers, body } = await send(server, request, ids, key);
  assert.equal(body.error?.code, code, JSON.stringify(body));
  assert.equal(status, CONTRACT[code].status);
  assertShape(code, body.error, extra);
  assert.equal(headers['request-id'], headers['x-request-id']);
  assert.deepEqual(await storedAccounts(server), stored, 'nothing was stored');
}

function assertShape(code: ContractCode, error: Reply['body']['error'], extra: object = {}): void {
  const { user_message, doc_url, type } = CONTRACT[code];
  assert.ok(error && error.message.length > 0);
  assert.equal(typeof error['user_message'], user_message === true ? 'string' : 'undefined');
  assert.equal(doc_url === true, String(error['doc_url']).endsWith(`/v2/core/errors/${code}`));
  assert.equal(error['type'], type);
  for (const [name, value] of Object.entries(extra)) assert.deepEqual(error[name], value);
}

function send(
  server: AccountsServer,
  step: Step,
  ids: ReadonlyMap<string, string>,
  key: string,
): Promise<Reply> {
  const filled = <T>(value: T): T =>
    value === undefined
      ? value
      : (JSON.parse(
          JSON.stringify(value).replace(
            /\$(account|clock)/g,
            (_, name: string) => ids.get(name) ?? 'missing',
          ),
        ) as T);
  return server.call(step.method, filled(step.path), filled(step.body), {
    authorization: `Bearer ${key}`,
    ...step.headers,
  });
}

async function keyNamed(server: AccountsServer, name: string): Promise<string> {
  const words = ['keys', 'create', name, '--json', '--scope', 'accounts', '--scope', 'accounts:test'];
  const { stdout, stderr } = await server.command(words);
  assert.ok(stdout, stderr);
  return (JSON.parse(stdout) as { key: string }).key;
}

/** What is stored of all accounts, as it is stored. */
function storedAccounts(server: AccountsServer): Promise<Document[]> {
  const accounts = server.service(STORAGE, 'accounts').collection({ name: 'accounts' });
  return accounts.find({}, { sort: { _id: 1 } }).toArray();
}
