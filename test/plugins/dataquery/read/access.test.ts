/** How the rows of a request are found: decided from the plan and what is known of few rows, without a store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
import type { Level } from '../../../../plugins/dataquery/engine/plan/level.js';
import { planRead } from '../../../../plugins/dataquery/engine/plan/plan.js';
import { seenCache } from '../../../../plugins/dataquery/engine/plan/seen-cache.js';
import { parseQuery } from '../../../../plugins/dataquery/engine/query/parse.js';
import { decide } from '../../../../plugins/dataquery/engine/read/access/decide.js';
import { describe, type Described } from '../../../../plugins/dataquery/engine/read/access/describe.js';
import type { Samples } from '../../../../plugins/dataquery/engine/read/access/statistics.js';
import type { StoredRow } from '../../../../plugins/dataquery/engine/values/stored.js';
import { CATALOG } from '../cinema.js';

const { catalog } = readCatalog(CATALOG, 'cinema.yaml', '/');
const cache = seenCache(catalog);
const LIMITS = { maxRows: undefined, maxDepth: 5, maxEmbeds: 50, maxFilters: 500, aggregates: true };

function planned(request: string): Level {
  const [name = '', search = ''] = request.split('?');
  const relation = relationOf(catalog, { schema: 'public', relation: name })!;
  return planRead(cache, LIMITS, relation, parseQuery(search));
}

interface Decided {
  /** Which samples it asked for, in turn. */
  readonly asked: readonly (readonly string[])[];
  readonly nodes: readonly string[];
}

/** `few` are the relations of which a sample finds few rows. */
function decided(request: string, few: Readonly<Record<string, number>> = {}, count = false): Decided {
  const level = planned(request);
  const samples = new Map<Level['conditions'], readonly StoredRow[] | undefined>();
  const asked: string[][] = [];
  for (;;) {
    const reading = { level, skip: level.offset, limit: level.limit, count, atOnce: false };
    const decision = decide(catalog, reading, samples as Samples);
    if (decision.kind === 'decided')
      return { asked, nodes: describe(decision, level).flatMap((one) => lines(one)) };
    asked.push(decision.wanted.map(({ level: { relation } }) => relation.name));
    for (const { level: wanted, members } of decision.wanted) {
      const rows = few[wanted.relation.name];
      samples.set(wanted.conditions, rows === undefined ? undefined : rowsWith(rows, members));
    }
  }
}

function rowsWith(count: number, members: ReadonlySet<string>): StoredRow[] {
  return Array.from({ length: count }, (_, at) => ({
    ...Object.fromEntries([...members].map((member) => [member, at])),
    _id: String(at),
  }));
}

function lines({ role, node, parts }: Described, indent = ''): string[] {
  return [`${indent}${role}: ${node}`, ...parts.flatMap((part) => lines(part, `${indent}  `))];
}

const JOINED = 'films?select=id,roles!inner(actors!inner())&order=id';

const CASES: readonly [request: string, few: Record<string, number>, nodes: readonly string[]][] = [
  ['films?id=eq.1&limit=1', {}, ['films: Scan']],
  ['films?order=id', {}, ['films: Stream']],
  ['films?order=data->a', {}, ['films: Scan']],
  ['films?select=year,count()', {}, ['films: Store Groups', '  Otherwise: Row Groups']],
  ['films?select=score.max()', {}, ['films: Row Groups']],
  ['films?select=count(),directors(name)', {}, ['films: Gathered Groups']],
  [
    `${JOINED}&limit=20`,
    {},
    [
      'films: Probe',
      '  Otherwise: Key Range',
      '    Lookup: Key Sets',
      '      roles: Stored Keys',
      '        Lookup: Key Sets',
      '          actors: Stored Keys',
      '    Otherwise: Scan',
    ],
  ],
  [
    `${JOINED}&roles.actors.id=eq.1&limit=20`,
    { actors: 1 },
    [
      'films: Key Range',
      '  Lookup: Key Sets',
      '    roles: Stored Keys',
      '      Lookup: Key Sets',
      '        actors: Sampled Keys',
      '  Otherwise: Scan',
    ],
  ],
  [
    `${JOINED}&id=in.(1,2)`,
    { films: 2 },
    [
      'films: Stream',
      '  Lookup: Look at Few',
      '    Otherwise: Key Sets',
      '      roles: Stored Keys',
      '        Lookup: Key Sets',
      '          actors: Stored Keys',
    ],
  ],
  [
    'roles?select=film_id,films()&order=films(id)&limit=4',
    {},
    ['roles: Along Embed', '  Otherwise: Sort by Embeds'],
  ],
  [
    'films?select=id,roles(actors!inner(name))&order=id&limit=4',
    {},
    ['films: Scan', 'roles: Look After', '  Otherwise: Key Sets', '    actors: Stored Keys'],
  ],
  [
    'films?select=id,roles(actors!inner(name))&roles.actors.id=eq.1&order=id&limit=4',
    { actors: 1 },
    ['films: Scan', 'roles: Key Sets', '  actors: Sampled Keys'],
  ],
  ['films?select=id,directors(name)&order=directors(name)&limit=4', {}, ['films: Sort by Embeds']],
];

for (const [request, few, nodes] of CASES) {
  test(`${request}${Object.keys(few).length > 0 ? ` with few ${Object.keys(few).join()}` : ''}`, () => {
    assert.deepEqual(decided(request, few).nodes, nodes);
  });
}

test('samples are asked for only where an index serves the conditions, and only as far as they decide', () => {
  assert.deepEqual(decided(`${JOINED}&limit=20`).asked, []);
  assert.deepEqual(decided(`${JOINED}&roles.actors.name=eq.x&limit=20`).asked, []);
  assert.deepEqual(decided(`${JOINED}&roles.actors.id=eq.1&limit=20`).asked, [['actors']]);
  assert.deepEqual(decided(`${JOINED}&roles.actors.id=eq.1&id=gte.1`, { films: 3 }).asked, [['films']]);
  assert.deepEqual(decided(`${JOINED}&roles.actors.id=eq.1&id=gte.1`, { films: 300 }).asked, [
    ['films'],
    ['actors'],
  ]);
});

test('a request has at most twenty samples read, whatever it embeds', () => {
  const embeds = Array.from({ length: 40 }, (_, at) => `r${at}:roles!inner()`).join(',');
  const filters = Array.from({ length: 40 }, (_, at) => `r${at}.film_id=eq.${at}`).join('&');
  const { asked } = decided(`films?select=id,${embeds}&${filters}&order=id&limit=5`);
  assert.equal(asked.flat().length, 20);
});
