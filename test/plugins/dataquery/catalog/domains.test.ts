import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readCatalogFile } from '../../../../plugins/dataquery/engine/catalog/read.js';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    domains:
      color: { over: integer, module: ./formats.mjs }
      shout: { over: text, module: ./formats.mjs, export: loud }
    relations:
      shelves: { columns: { id: integer }, primaryKey: [id] }
      pens:
        columns: { id: integer, tone: { type: color, default: 255 }, name: shout, shelf_id: integer }
        primaryKey: [id]
        foreignKeys: { on: { columns: [shelf_id], references: { relation: shelves, columns: [id] } } }
      shown_pens: { kind: view, from: pens, columns: { number: { base: id }, shade: { base: tone } } }
`;
const FORMATS = `
export const color = {
  toJson: (value) => value === null ? 'none' : '#' + value.toString(16).padStart(6, '0'),
  fromJson: (value) => read(value),
  fromText: (text) => read('#' + text),
};
export const loud = { toJson: (value) => value === null ? null : value.toUpperCase() };
function read(text) {
  if (!/^#[0-9a-f]{6}$/.test(text)) throw new TypeError('A color is # and six hexadecimal digits.');
  return Number.parseInt(text.slice(1), 16);
}
`;

eachStore('columns of a domain', (store) => {
  let data: Data;
  before(async () => {
    const rows = {
      'public.shelves': [{ id: 1 }],
      'public.pens': [
        { id: 1, tone: '#0000ff', name: 'Blue', shelf_id: 1 },
        { id: 2, tone: null, name: null },
        { id: 3, name: 'Plain', shelf_id: 1 },
        { id: 4, tone: '#ff0000', name: 'Red' },
      ],
    };
    data = await openData(await store.fresh(), CATALOG, rows, {}, { 'formats.mjs': FORMATS });
  });
  after(() => data.stop());

  test('are shown in the form of the module, null too, through views and embeds', async () => {
    assert.deepEqual(await data.rows('/pens?select=id,tone,name&id=lte.3'), [
      { id: 1, tone: '#0000ff', name: 'BLUE' },
      { id: 2, tone: 'none', name: null },
      { id: 3, tone: '#0000ff', name: 'PLAIN' },
    ]);
    assert.deepEqual(await data.rows('/shown_pens?select=shade&number=eq.4'), [{ shade: '#ff0000' }]);
    assert.deepEqual(await data.rows('/shelves?select=pens(tone)'), [
      { pens: [{ tone: '#0000ff' }, { tone: '#0000ff' }] },
    ]);
  });

  test('a cast shows the value of the type below', async () => {
    assert.deepEqual(await data.rows('/pens?select=tone::int,name::text&id=eq.1'), [
      { tone: 255, name: 'Blue' },
    ]);
  });

  test('filters read their literals in that form, and compare and sort the values below', async () => {
    assert.deepEqual(await data.rows('/pens?select=id&tone=gt.0000ff'), [{ id: 4 }]);
    assert.deepEqual(await data.rows('/pens?select=id&tone=in.(0000ff,00ff00)'), [{ id: 1 }, { id: 3 }]);
    assert.deepEqual(await data.rows('/pens?select=id&order=tone.desc,id&tone=not.is.null&limit=1'), [
      { id: 4 },
    ]);
    assert.deepEqual(await data.rows('/pens?select=id&name=eq.Blue'), [{ id: 1 }]);
  });

  describe('written', () => {
    const written = { prefer: 'return=representation, tx=rollback' };
    test('are read in that form, with the default of the type below', async () => {
      const rows = [
        { id: 10, tone: '#00ff00' },
        { id: 11, tone: null },
      ];
      const answer = await data.send('POST', '/pens?select=tone', rows, written);
      assert.deepEqual(answer.body, [{ tone: '#00ff00' }, { tone: 'none' }]);
      const changed = await data.send('PATCH', '/pens?id=eq.1&select=tone', { tone: '#00ff00' }, written);
      assert.deepEqual(changed.body, [{ tone: '#00ff00' }]);
    });

    test('a value that the module refuses is a wrong literal, told in its words', async () => {
      const answer = await data.send('POST', '/pens', { id: 12, tone: 'red' });
      assert.deepEqual(answer.body, {
        code: '22P02',
        message: 'invalid input syntax for type color: "red"',
        details: 'A color is # and six hexadecimal digits.',
        hint: null,
      });
      assert.equal(refusal(await data.send('GET', '/pens?tone=eq.red')), '400 22P02');
    });
  });
});

describe('a domain with a mistake is a problem of the file', () => {
  const refused: readonly [what: string, domain: string, problem: RegExp][] = [
    ['no module', '{ over: integer }', /c: the key "module" is missing/],
    ['an unknown type', '{ over: int5, module: ./m.mjs }', /c\.over: .*"int5" is not a PostgreSQL type/],
    ['no such file', '{ over: integer, module: ./n.mjs }', /c\.module: .*n\.mjs/],
    [
      'no such export',
      '{ over: integer, module: ./m.mjs }',
      /c\.module: .*exports no object "c"; did you mean "cc"\?/,
    ],
    [
      'no function',
      '{ over: integer, module: ./m.mjs, export: cc }',
      /"cc" has none of the functions toJson, fromJson, fromText/,
    ],
  ];
  for (const [what, domain, problem] of refused) {
    test(what, async (t) => {
      const directory = await mkdtemp(join(tmpdir(), 'plugboard-domains-'));
      t.after(() => rm(directory, { recursive: true }));
      const file = join(directory, 'c.yaml');
      await writeFile(join(directory, 'm.mjs'), 'export const cc = {}');
      await writeFile(
        file,
        `schemas: { s: { domains: { c: ${domain} }, relations: { t: { columns: { id: c } } } } }`,
      );
      await assert.rejects(readCatalogFile(file, 'c.yaml'), { name: 'CatalogError', message: problem });
    });
  }
});
