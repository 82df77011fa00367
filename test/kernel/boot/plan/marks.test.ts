/** Marks of a config's schema, where a value may have one of several shapes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { plainNumbers, marked } from '../../../../kernel/config/marks.js';
import { configFromValue } from '../../../../kernel/config/read.js';
import { prepare } from '../../../../kernel/boot/plan/prepare.js';
import { builtins } from '../../../../plugins/index.js';

const closed = { additionalProperties: false };
const Store = Type.Union([
  Type.Object({ kind: Type.Literal('disk'), place: Type.String({ folder: true }) }, closed),
  Type.Object({ kind: Type.Literal('remote'), place: Type.String({ secret: true }) }, closed),
]);
const Token = Type.Union([Type.Literal('none'), Type.String({ secret: true })]);
const Config = Type.Object(
  {
    store: Store,
    tokens: Type.Array(Token, { default: [] }),
    limit: Type.Union([Type.Integer(), Type.Null()]),
  },
  closed,
);

const paths = (mark: 'secret' | 'folder', value: object) =>
  marked(mark, Config, value, []).map(({ path }) => path.join('.'));

test('a mark within an alternative is found where that alternative is meant', () => {
  const disk = { store: { kind: 'disk', place: './x' } };
  const remote = { store: { kind: 'remote', place: 'hunter2' } };
  assert.deepEqual([paths('folder', disk), paths('secret', disk)], [['store.place'], []]);
  assert.deepEqual([paths('folder', remote), paths('secret', remote)], [[], ['store.place']]);
});

test('a secret is one where nothing says which alternative is meant, and under a misspelled key', () => {
  for (const store of [
    { place: 'hunter2' },
    { kind: 'other', place: 'hunter2' },
    { kind: 'remote', plase: 'hunter2' },
  ])
    assert.equal(paths('secret', { store }).length, 1, JSON.stringify(store));
});

test('of a word or a secret, the word is none', () => {
  assert.deepEqual(paths('secret', { tokens: ['none', 'hunter2'] }), ['tokens.1']);
});

test('a number that may be absent stays plain', () => {
  assert.deepEqual(
    plainNumbers(Type.Object({ limit: Type.Union([Type.Integer(), Type.Literal(0)]) }), { limit: 5 }, []),
    [['limit']],
  );
});

test('the printed config masks a secret of an alternative', async () => {
  const plugin = definePlugin({ name: 'kept', api: 1, config: Config, setup: () => ({}) });
  const kept = {
    store: { kind: 'remote', place: 'hunter2-hunter2' },
    tokens: ['none', 'hunter3-hunter3'],
    limit: null,
  };
  const { plan, problems } = await prepare({
    source: configFromValue('test', { version: 1, plugins: { kept } }),
    builtins: { ...builtins, plugins: { kept: () => Promise.resolve({ default: plugin }) } },
    env: {},
    baseDir: import.meta.dirname,
  });
  assert.deepEqual(problems, []);
  const printed = JSON.stringify(plan?.inForce);
  assert.doesNotMatch(printed, /hunter/);
  assert.match(printed, /"tokens":\["none",/);
});
