/** A small cinema on a real store, read by requests: what the tests of reading share. */
import { bootTest } from 'plugboard/testing';
import { definePlugin, STORAGE, Type, type Collection, type Cursor } from 'plugboard/sdk';
import { Budget } from '../../../plugins/dataquery/engine/base/budget.js';
import { readCatalog } from '../../../plugins/dataquery/engine/catalog/read.js';
import { relationOf, type Catalog } from '../../../plugins/dataquery/engine/catalog/model.js';
import { planRead, type PlanLimits } from '../../../plugins/dataquery/engine/plan/plan.js';
import { parseQuery } from '../../../plugins/dataquery/engine/query/parse.js';
import type { ReadContext } from '../../../plugins/dataquery/engine/read/context.js';
import { readRows } from '../../../plugins/dataquery/engine/read/read.js';
import { seenCache } from '../../../plugins/dataquery/engine/plan/seen-cache.js';
import { RowStore } from '../../../plugins/dataquery/engine/rows/row-store.js';
import type { StoredRow } from '../../../plugins/dataquery/engine/values/stored.js';
import type { StoreConfig } from '../../support/stores.js';

export const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      directors: { columns: { id: { type: integer, required: true }, name: text }, primaryKey: [id] }
      films:
        columns:
          id: { type: integer, required: true }
          title: text
          year: integer
          rating: numeric
          score: double precision
          tags: text[]
          data: jsonb
          notes: json
          released: date
          awarded: boolean
          director_id: integer
        primaryKey: [id]
        foreignKeys:
          films_director: { columns: [director_id], references: { relation: directors, columns: [id] } }
      actors: { columns: { id: integer, name: text }, primaryKey: [id] }
      roles:
        columns: { film_id: integer, actor_id: integer, character: text }
        primaryKey: [film_id, actor_id]
        foreignKeys:
          roles_film: { columns: [film_id], references: { relation: films, columns: [id] } }
          roles_actor: { columns: [actor_id], references: { relation: actors, columns: [id] } }
      recent_films:
        kind: view
        from: films
        columns: { number: { base: id }, name: { base: title }, since: { base: year }, director_id: { base: director_id } }
        where: { year: gte.1990 }
      newest_films:
        kind: view
        from: recent_films
        columns: { number: { base: number }, since: { base: since }, director_id: { base: director_id } }
        where: { since: gte.2000 }
    functions:
      directed_by:
        args: { director: { row: directors } }
        returns: { setof: films }
        from: films
        join: { director_id: director.id }
        where: { year: not.is.null }
      films_between:
        args: { min: integer, max: { type: integer, default: 9999 } }
        returns: { setof: films }
        from: films
        where: { and: "(year.gte.$min,year.lte.$max)" }
`;

const ROWS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  directors: [
    { id: 1, name: 'Agnès Varda' },
    { id: 2, name: 'Akira Kurosawa' },
    { id: 3, name: 'Nobody' },
  ],
  films: [
    film(1, 'Cléo', 1962, {
      rating: 7.9,
      score: 1.5,
      tags: ['paris', 'a,b'],
      data: { a: { b: [1, 2] }, n: 1 },
      director_id: 1,
      awarded: true,
    }),
    film(2, 'Ran', 1985, {
      rating: 8.2,
      score: 'NaN',
      tags: [],
      data: { a: { b: 'x' } },
      director_id: 2,
      awarded: false,
      released: '1985-06-01',
    }),
    film(3, 'Gleaners', 2000, {
      rating: 7.7,
      score: -2,
      tags: ['paris', null],
      director_id: 1,
      notes: { z: null },
    }),
    film(4, 'Orphan', null, { rating: null, data: null }),
    film(5, 'Dreams', 1990, { rating: 10, director_id: 2, released: '1990-05-11', awarded: true }),
  ],
  actors: [
    { id: 1, name: 'Corinne' },
    { id: 2, name: 'Tatsuya' },
    { id: 3, name: 'Unseen' },
  ],
  roles: [
    { film_id: 1, actor_id: 1, character: 'Cléo' },
    { film_id: 2, actor_id: 2, character: 'Hidetora' },
    { film_id: 5, actor_id: 2, character: null },
    { film_id: 5, actor_id: 1, character: 'Snow' },
  ],
};

function film(
  id: number,
  title: string,
  year: number | null,
  others: Record<string, unknown>,
): Record<string, unknown> {
  return { id, title, year, ...others };
}

export interface Cinema {
  /** The parsed answer. */
  get(request: string, limits?: Partial<PlanLimits>): Promise<unknown>;
  /** The answer's text. */
  text(request: string, stripNulls?: boolean): Promise<string>;
  /** How often storage was asked by the last request, and how many rows its finds gave. */
  readonly calls: number;
  readonly rowsRead: number;
  readonly catalog: Catalog;
  readonly context: ReadContext;
  stop(): Promise<void>;
}

const LIMITS: PlanLimits = {
  maxRows: undefined,
  maxDepth: 5,
  maxEmbeds: 10,
  maxFilters: 500,
  aggregates: true,
};

export async function openCinema(config: StoreConfig): Promise<Cinema> {
  const { catalog } = readCatalog(CATALOG, 'cinema.yaml', '/');
  let store: RowStore | undefined;
  const plugin = definePlugin({
    name: 'cinema',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { storage: STORAGE },
    setup({ needs }) {
      store = new RowStore(needs.storage);
      store.declare(catalog);
      return {};
    },
  });
  const server = await bootTest({ storage: config, plugins: [{ plugin }] });
  if (store === undefined) throw new Error('the plugin was not set up');
  const rows = store;
  await fill(rows, catalog);
  const asked: Asked = { calls: 0, rows: 0 };
  const context: ReadContext = {
    cache: seenCache(catalog),
    collection: (relation) => counted(rows.collection(relation), asked),
    call: () => Promise.reject(new Error('there are no modules here')),
    limits: LIMITS,
    get budget() {
      return new Budget({
        rows: 100_000,
        characters: 10_000_000,
        milliseconds: 60_000,
        writtenRows: 10_000,
        writtenCharacters: 10_000_000,
      });
    },
  };
  const text: Cinema['text'] = (request, stripNulls = false) => read(context, request, stripNulls);
  return {
    text,
    async get(request, limits = {}) {
      Object.assign(asked, { calls: 0, rows: 0 });
      return JSON.parse(
        await read({ ...context, limits: { ...LIMITS, ...limits } }, request, false),
      ) as unknown;
    },
    get calls() {
      return asked.calls;
    },
    get rowsRead() {
      return asked.rows;
    },
    catalog,
    context,
    stop: () => server.stop(),
  };
}

async function fill(store: RowStore, catalog: Catalog): Promise<void> {
  for (const [name, rows] of Object.entries(ROWS)) {
    const relation = relationOf(catalog, { schema: 'public', relation: name })!;
    const stored = rows.map((row): StoredRow => {
      const members = [...relation.columns.values()]
        .map((column) => [column.field, column.type.fromJson(row[column.name] ?? null)] as const)
        .filter(([, value]) => value !== null);
      return { _id: store.nextId(), ...Object.fromEntries(members) };
    });
    await store.collection(relation).insertMany(stored);
  }
}

async function read(context: ReadContext, request: string, stripNulls: boolean): Promise<string> {
  const [name = '', search = ''] = request.split('?');
  const relation = relationOf(context.cache.catalog, { schema: 'public', relation: name })!;
  const level = planRead(context.cache, context.limits, relation, parseQuery(search));
  const window = { offset: 0, limit: undefined };
  const texts: string[] = [];
  const { batches } = await readRows(context, level, { window, count: false, stripNulls });
  for await (const batch of batches) texts.push(...batch);
  return `[${texts.join(',')}]`;
}

interface Asked {
  calls: number;
  rows: number;
}

function counted(collection: Collection<StoredRow>, asked: Asked): Collection<StoredRow> {
  return new Proxy(collection, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (name === 'find' || name === 'findOne' || name === 'countDocuments') asked.calls += 1;
        const result: unknown = Reflect.apply(member, target, args);
        return name === 'find' ? countedCursor(result as Cursor<StoredRow>, asked) : result;
      };
    },
  });
}

function countedCursor(cursor: Cursor<StoredRow>, asked: Asked): Cursor<StoredRow> {
  return {
    async toArray() {
      const rows = await cursor.toArray();
      asked.rows += rows.length;
      return rows;
    },
    async *[Symbol.asyncIterator]() {
      for await (const row of cursor) {
        asked.rows += 1;
        yield row;
      }
    },
  };
}
