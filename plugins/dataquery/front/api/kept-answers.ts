/**
 * Caches short responses of a store that counts its commits until the next commit: reading again would give the same.
 */
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../engine/base/once-per.js';
import type { RowStore } from '../../engine/rows/row-store.js';
import type { SchemaState } from '../../engine/schema/schema-state.js';
import type { Answer, ApiRequest } from '../http/exchange.js';
import { namesPlan } from '../http/media-type.js';
import type { ApiContext } from './context.js';

/** In characters of the body. Long responses take their time on the wire anyway. */
const LONGEST = 64 * 1024;
/** In characters of keys and responses together. */
const MOST = 16 * 1024 * 1024;
const MOST_ANSWERS = 2_000;
/** Of the query string: longer ones rarely repeat. */
const LONGEST_SEARCH = 2_048;

export class KeptAnswers {
  readonly #store: Pick<RowStore, 'commits'>;
  readonly #answers = new LRUCache<string, Answer>({
    max: MOST_ANSWERS,
    maxSize: MOST,
    sizeCalculation: (answer, key) => key.length + lengthOf(answer) + 1,
  });
  /** The commit of all of them. */
  #keptAt: number | undefined;

  constructor(store: Pick<RowStore, 'commits'>) {
    this.#store = store;
  }

  /** The result of `read` for rows alone; modules are called each time. */
  async answer(
    context: ApiContext,
    request: ApiRequest,
    read: (context: ApiContext) => Promise<Answer>,
  ): Promise<Answer> {
    const { commits } = this.#store;
    if (commits === undefined || !isKept(request)) return read(context);
    const key = keyOf(context.state, request);
    const kept = commits === this.#keptAt ? this.#answers.get(key) : undefined;
    if (kept !== undefined) return kept;
    let asksModules = false;
    const answer = await read({
      ...context,
      call: (called, args) => {
        asksModules = true;
        return context.call(called, args);
      },
    });
    const isOfOneState = commits === this.#store.commits;
    if (isOfOneState && !asksModules && lengthOf(answer) <= LONGEST) this.#keep(key, answer, commits);
    return answer;
  }

  #keep(key: string, answer: Answer, commits: number): void {
    if (commits !== this.#keptAt) this.#answers.clear();
    this.#keptAt = commits;
    this.#answers.set(key, answer);
  }
}

export const keptAnswers = oncePer((store: RowStore) => new KeptAnswers(store));

/** A plan includes timings. */
function isKept({ header, search }: ApiRequest): boolean {
  return search.length <= LONGEST_SEARCH && !namesPlan(header('accept'));
}

/** A streamed body has no known length. */
function lengthOf({ body = '' }: Answer): number {
  return typeof body === 'string' ? body.length : Infinity;
}

const HEADERS = ['accept', 'accept-profile', 'prefer', 'range', 'range-unit'];

let states = 0;
/** A reload, and each time zone, makes a new state. */
const numberOf = oncePer((_: SchemaState) => ++states);

/** All of a request that its response depends on. */
function keyOf(state: SchemaState, { method, segments, search, header }: ApiRequest): string {
  let key = `${numberOf(state)} ${method}`;
  for (const name of HEADERS) key += `\n${header(name) ?? ''}`;
  return `${key}\n${segments.join('/')}\n${search}`;
}
