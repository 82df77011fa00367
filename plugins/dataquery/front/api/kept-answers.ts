/** Short answers, kept until the next commit to the store: they are what reading again would answer. */
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../engine/base/once-per.js';
import type { RowStore } from '../../engine/rows/row-store.js';
import type { SchemaState } from '../../engine/schema/schema-state.js';
import type { Answer, ApiRequest } from '../http/exchange.js';
import { namesPlan } from '../http/media-type.js';
import type { ApiContext } from './context.js';
import { LastCommit, type CommitSource, type Mark } from './last-commit.js';

/** In characters of the body. Long answers take their time on the wire anyway. */
const LONGEST = 64 * 1024;
/** In characters of keys and answers together. */
const MOST = 16 * 1024 * 1024;
const MOST_ANSWERS = 2_000;
/** Of the query string: longer ones rarely repeat. */
const LONGEST_SEARCH = 2_048;

export class KeptAnswers {
  readonly #lastCommit: LastCommit;
  readonly #answers = new LRUCache<string, Answer>({
    max: MOST_ANSWERS,
    maxSize: MOST,
    sizeCalculation: (answer, key) => key.length + lengthOf(answer) + 1,
  });
  /** The commit that all of them are of. */
  #keptAt: Mark | undefined;

  constructor(store: CommitSource) {
    this.#lastCommit = new LastCommit(store);
  }

  /** What `read` answers of the rows alone; what it asks of modules is asked each time. */
  async answer(
    context: ApiContext,
    request: ApiRequest,
    read: (context: ApiContext) => Promise<Answer>,
  ): Promise<Answer> {
    if (!isKept(request)) return read(context);
    const key = keyOf(context.state, request);
    const { known: last } = this.#lastCommit;
    const kept = last === this.#keptAt ? this.#answers.get(key) : undefined;
    if (kept !== undefined && last !== undefined && (await this.#lastCommit.isStill(last))) return kept;
    const { known: commit } = this.#lastCommit;
    this.#lastCommit.lookLater();
    let asksModules = false;
    const answer = await read({
      ...context,
      call: (called, args) => {
        asksModules = true;
        return context.call(called, args);
      },
    });
    const isOfOneState = commit !== undefined && commit === this.#lastCommit.known;
    if (isOfOneState && !asksModules && lengthOf(answer) <= LONGEST) this.#keep(key, answer, commit);
    return answer;
  }

  #keep(key: string, answer: Answer, commit: Mark): void {
    if (commit !== this.#keptAt) this.#answers.clear();
    this.#keptAt = commit;
    this.#answers.set(key, answer);
  }
}

export const keptAnswers = oncePer((store: RowStore) => new KeptAnswers(store));

/** A plan says how long its steps took. */
function isKept({ header, search }: ApiRequest): boolean {
  return search.length <= LONGEST_SEARCH && !namesPlan(header('accept'));
}

/** Pieces of a long body have no end here. */
function lengthOf({ body = '' }: Answer): number {
  return typeof body === 'string' ? body.length : Infinity;
}

const HEADERS = ['accept', 'accept-profile', 'prefer', 'range', 'range-unit'];

let states = 0;
/** A reload, and each time zone, makes a state of its own. */
const numberOf = oncePer((_: SchemaState) => ++states);

/** All of a request that its answer depends on. */
function keyOf(state: SchemaState, { method, segments, search, header }: ApiRequest): string {
  let key = `${numberOf(state)} ${method}`;
  for (const name of HEADERS) key += `\n${header(name) ?? ''}`;
  return `${key}\n${segments.join('/')}\n${search}`;
}
