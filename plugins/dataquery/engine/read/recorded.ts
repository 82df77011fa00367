/** Records a request's storage calls while it runs: the plan that a client is shown. */
import type { Collection, Cursor, FindOptions, QueryPlan } from 'plugboard/sdk';
import type { Relation } from '../catalog/model.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import type { RowFilter } from './row-filter.js';

/** Calls of one kind: the same relation, filter and order, whatever the values. */
export interface RecordedCall {
  readonly relation: string;
  readonly schema: string;
  readonly operation: 'find' | 'count' | 'group';
  readonly plan: QueryPlan;
  /** The filter of the first of them, cut if long. */
  readonly filter: string;
  readonly sort: string | null;
  calls: number;
  /** Rows returned, counts, or groups. */
  rows: number;
  milliseconds: number;
}

/** Distinct kinds; calls of further ones are left out. */
const MOST_KINDS = 50;
const LONGEST_FILTER = 500;

export class Recording {
  readonly #context: ReadContext;
  readonly #calls = new Map<string, RecordedCall>();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  get calls(): readonly RecordedCall[] {
    return [...this.#calls.values()];
  }

  /** The context to run the request with. */
  get context(): ReadContext {
    return { ...this.#context, collection: (relation) => this.#recorded(relation) };
  }

  #recorded(relation: Relation): Collection<StoredRow> {
    const rows = this.#context.collection(relation);
    const note = (
      operation: RecordedCall['operation'],
      filter: RowFilter,
      options: FindOptions<StoredRow> = {},
    ): Promise<(milliseconds: number, found: number) => void> =>
      this.#note(rows, relation, operation, filter, options);
    return new Proxy(rows, {
      get(target, name) {
        switch (name) {
          case 'find':
            return (filter: RowFilter, options: FindOptions<StoredRow>) =>
              recordedCursor(() => target.find(filter, options), note('find', filter, options));
          case 'countDocuments':
            return async (filter: RowFilter) => {
              const done = await note('count', filter);
              const began = performance.now();
              const count = await target.countDocuments(filter);
              done(performance.now() - began, count);
              return count;
            };
          case 'group':
            return async (...[filter, grouping]: Parameters<Collection<StoredRow>['group']>) => {
              const done = await note('group', filter as RowFilter);
              const began = performance.now();
              const groups = await target.group(filter, grouping);
              done(performance.now() - began, groups.length);
              return groups;
            };
          default: {
            const member: unknown = Reflect.get(target, name, target);
            return typeof member === 'function' ? (member.bind(target) as unknown) : member;
          }
        }
      },
    });
  }

  async #note(
    rows: Collection<StoredRow>,
    { schema, name }: Relation,
    operation: RecordedCall['operation'],
    filter: RowFilter,
    { sort, limit }: FindOptions<StoredRow>,
  ): Promise<(milliseconds: number, found: number) => void> {
    const order = sort === undefined || Object.keys(sort).length === 0 ? null : JSON.stringify(sort);
    const kind = JSON.stringify([schema, name, operation, shapeOf(filter), order]);
    let call = this.#calls.get(kind);
    if (call === undefined && this.#calls.size < MOST_KINDS) {
      const options = { ...(sort && { sort }), ...(limit !== undefined && { limit }) };
      const plan = await rows.explain(filter, options);
      const shown = JSON.stringify(filter, shownValue).slice(0, LONGEST_FILTER);
      const blank = { calls: 0, rows: 0, milliseconds: 0 };
      call = this.#calls.get(kind) ?? {
        relation: name,
        schema,
        operation,
        plan,
        filter: shown,
        sort: order,
        ...blank,
      };
      this.#calls.set(kind, call);
    }
    return (milliseconds, found) => {
      if (call === undefined) return;
      call.calls += 1;
      call.rows += found;
      call.milliseconds += milliseconds;
    };
  }
}

function recordedCursor(
  open: () => Cursor<StoredRow>,
  noted: Promise<(milliseconds: number, found: number) => void>,
): Cursor<StoredRow> {
  return {
    async toArray() {
      const done = await noted;
      const began = performance.now();
      const rows = await open().toArray();
      done(performance.now() - began, rows.length);
      return rows;
    },
    async *[Symbol.asyncIterator]() {
      const done = await noted;
      const rows = open()[Symbol.asyncIterator]();
      let found = 0;
      // Only storage: what is done with a row in between is not its time.
      let spent = 0;
      try {
        for (;;) {
          const began = performance.now();
          const next = await rows.next();
          spent += performance.now() - began;
          if (next.done === true) return;
          found += 1;
          yield next.value;
        }
      } finally {
        await rows.return?.();
        done(spent, found);
      }
    },
  };
}

function shownValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint' || value instanceof RegExp) return String(value);
  // Of many keys the first few are enough.
  return Array.isArray(value) && value.length > 10
    ? [...(value.slice(0, 10) as unknown[]), `and ${value.length - 10} more`]
    : value;
}

/** The filter without its values: its operators and members. */
function shapeOf(filter: unknown): unknown {
  if (typeof filter !== 'object' || filter === null || filter instanceof Date || filter instanceof RegExp)
    return null;
  if (Array.isArray(filter)) return filter.slice(0, 20).map(shapeOf);
  return Object.entries(filter).map(([name, value]) => [
    name,
    name === '$in' || name === '$nin' ? null : shapeOf(value),
  ]);
}
