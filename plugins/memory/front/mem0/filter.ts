/**
 * Filters of mem0's API: AND, OR and NOT over fields, nested; members of an object are combined by AND. Compiled to a
 * test of an entry, and to the values of indexed fields that every match has.
 */
import type { EntryDocument } from '../../engine/entries/document.js';
import { unpackMetadata } from '../../engine/entries/metadata.js';
import { entityId, isEntityField, type EntityField } from './entities.js';
import { invalid } from './invalid.js';
import { comparison, dated, type Compare } from './operators.js';

type Test = (entry: EntryDocument) => boolean;

export interface Mem0Filter {
  /** Values that every match has. */
  readonly user: string | undefined;
  readonly run: string | undefined;
  /** Undefined: `user` and `run` are the whole filter. */
  readonly test: Test | undefined;
  readonly namesEntity: boolean;
}

const DEEPEST = 8;
const MOST_CONDITIONS = 50;

/** `shared`: entries without a user match any user, as in every search of memory. */
export function readFilter(filters: unknown, { shared }: { readonly shared: boolean }): Mem0Filter {
  const reader = new Reader(shared);
  const test = reader.group(filters ?? {}, 1, true);
  const { user, run } = reader.certain;
  const isCertain = reader.conditions === Number(user !== undefined) + Number(run !== undefined);
  return { user, run, test: isCertain ? undefined : test, namesEntity: reader.namesEntity };
}

class Reader {
  readonly certain: { user?: string; run?: string } = {};
  conditions = 0;
  namesEntity = false;
  readonly #shared: boolean;

  constructor(shared: boolean) {
    this.#shared = shared;
  }

  /** `certain`: every match must meet this condition. */
  group(filters: unknown, depth: number, certain: boolean): Test {
    if (depth > DEEPEST) throw invalid(`filters may be nested ${DEEPEST} deep`);
    const tests = Object.entries(objectOf(filters, 'filters')).map(([name, value]) =>
      this.#member(name, value, depth, certain),
    );
    return (entry) => tests.every((test) => test(entry));
  }

  #member(name: string, value: unknown, depth: number, certain: boolean): Test {
    const operands = (): unknown[] => {
      if (Array.isArray(value)) return value as unknown[];
      if (name === 'NOT') return [value];
      throw invalid(`${name} holds an array of filters`);
    };
    const groups = (isCertain: boolean): Test[] =>
      operands().map((each) => this.group(each, depth + 1, isCertain));
    switch (name) {
      case 'AND': {
        const tests = groups(certain);
        return (entry) => tests.every((test) => test(entry));
      }
      case 'OR': {
        const tests = groups(false);
        return (entry) => tests.some((test) => test(entry));
      }
      case 'NOT': {
        const strict = new Reader(false);
        strict.conditions = this.conditions;
        const tests = operands().map((each) => strict.group(each, depth + 1, false));
        this.conditions = strict.conditions;
        return (entry) => !tests.some((test) => test(entry));
      }
      default:
        return this.#condition(name, value, certain);
    }
  }

  #condition(name: string, value: unknown, certain: boolean): Test {
    this.conditions += 1;
    if (this.conditions > MOST_CONDITIONS) throw invalid(`filters may have ${MOST_CONDITIONS} conditions`);
    if (isEntityField(name)) return this.#entity(name, value, certain);
    if (name === 'metadata') return metadataTest(value);
    const read = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (read === undefined)
      throw invalid(
        `unknown filter "${name}"; known are ${Object.keys(FIELDS).join(', ')}, metadata, user_id, agent_id, app_id, run_id, AND, OR and NOT`,
      );
    return read(value);
  }

  #entity(field: EntityField, value: unknown, certain: boolean): Test {
    this.namesEntity = true;
    const isOne = typeof value === 'string' && value !== '*';
    const slot = field === 'user_id' ? 'user' : 'run';
    const isIndexed = field === 'user_id' || field === 'run_id';
    if (certain && isOne && isIndexed && this.certain[slot] === undefined) this.certain[slot] = value;
    const compare: Compare = value === '*' ? (id) => id !== null : comparison(value, field);
    const isShared = this.#shared && field === 'user_id' && isOne;
    return (entry) => {
      const id = entityId(entry, field);
      return (isShared && id === null) || compare(id);
    };
  }
}

/** By field: parses its condition. */
const FIELDS: Readonly<Record<string, (value: unknown) => Test>> = {
  created_at: (value) => onDate(value, 'created_at', ({ createdAt }) => createdAt),
  updated_at: (value) => onDate(value, 'updated_at', ({ updatedAt }) => updatedAt),
  timestamp: (value) => onDate(value, 'timestamp', ({ validFrom, createdAt }) => validFrom ?? createdAt),
  expiration_date: (value) => onDate(value, 'expiration_date', ({ expiresAt }) => expiresAt),
  // No entry has categories.
  categories: (value) => on(comparison(value, 'categories'), () => null),
  keywords: (value) => on(comparison(value, 'keywords'), ({ content }) => content),
  text: (value) => on(comparison(value, 'text'), ({ content }) => content),
  memory_ids: (value) => {
    if (!Array.isArray(value)) throw invalid('memory_ids holds an array of ids');
    const ids = new Set(value as unknown[]);
    return ({ _id }) => ids.has(_id);
  },
};

function on(compare: Compare, read: (entry: EntryDocument) => string | null): Test {
  return (entry) => compare(read(entry));
}

function onDate(value: unknown, name: string, read: (entry: EntryDocument) => Date | null): Test {
  const compare = comparison(dated(value, name), name);
  return (entry) => compare(read(entry)?.getTime() ?? null);
}

function metadataTest(value: unknown): Test {
  const tests = Object.entries(objectOf(value, 'metadata')).map(
    ([name, asked]) => [name, comparison(asked, `metadata.${name}`)] as const,
  );
  return (entry) => {
    const metadata = unpackMetadata(entry.metadata);
    return tests.every(([name, compare]) => compare(Object.hasOwn(metadata, name) ? metadata[name] : null));
  };
}

function objectOf(value: unknown, name: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalid(`${name} must be an object`);
}
