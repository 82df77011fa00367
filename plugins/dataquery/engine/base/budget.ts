/**
 * What one request may cost: rows held, characters of its response, and working time. A request that spends more is
 * refused (SVC129), and long work yields to the event loop every few milliseconds.
 */
import { nextTurn, sortInSteps, turnIsOver } from 'plugboard/sdk';
import { errors } from './errors.js';
import { TimeSpent, type Load } from './time-spent.js';

export interface BudgetLimits {
  /** Rows of all levels together. */
  readonly rows: number;
  /** Characters of the answer. */
  readonly characters: number;
  /** Milliseconds of processor time and, separately, of waiting for the store: see `TimeSpent`. */
  readonly milliseconds: number;
  /**
   * Rows that are stored, changed or deleted: a store may make them durable in one step, which cannot be interrupted.
   */
  readonly writtenRows: number;
  /** Characters of rows that are stored or changed. */
  readonly writtenCharacters: number;
}

export class Budget {
  readonly #limits: BudgetLimits;
  #rows = 0;
  /** Lower than the request's limit inside `tryWithRows`. */
  #mostRows: number;
  #rowsRefused = false;
  #characters = 0;
  #writtenRows = 0;
  #writtenCharacters = 0;
  readonly #time: TimeSpent;
  #cancelled = false;
  /** Aborts the storage operation of the request. */
  #interrupt: (() => void) | undefined;

  /** `load`: for a store in this process. */
  constructor(limits: BudgetLimits, load?: Load) {
    this.#limits = limits;
    this.#mostRows = limits.rows;
    this.#time = new TimeSpent(load);
  }

  /** How many more rows may be held. */
  get rowsLeft(): number {
    return this.#mostRows - this.#rows;
  }

  /** Throws SVC129. */
  spendRows(count: number): void {
    this.#rows += count;
    if (this.#rows > this.#mostRows) this.refuseRows();
  }

  /** Runs work that may hold some rows, which do not count afterwards; undefined if it needs more. */
  async tryWithRows<T>(rows: number, work: () => Promise<T>): Promise<T | undefined> {
    const [before, most] = [this.#rows, this.#mostRows];
    this.#mostRows = Math.min(most, before + rows);
    this.#rowsRefused = false;
    try {
      return await work();
    } catch (error) {
      if (this.#rowsRefused) return undefined;
      throw error;
    } finally {
      this.#rows = before;
      this.#mostRows = most;
    }
  }

  refuseRows(): never {
    this.#rowsRefused = true;
    throw errors.SVC129({
      details: `The request reads more than ${this.#limits.rows} rows.`,
      hint: PAGING,
    });
  }

  /** Throws SVC129. */
  spendCharacters(count: number): void {
    this.#characters += count;
    this.checkLength(this.#characters);
  }

  /** For a part of the response that may be repeated in it. Throws SVC129. */
  checkLength(characters: number): void {
    if (characters <= this.#limits.characters) return;
    throw errors.SVC129({
      details: `The answer has more than ${this.#limits.characters} characters.`,
      hint: PAGING,
    });
  }

  /** How many more rows may be written. */
  get writesLeft(): number {
    return this.#limits.writtenRows - this.#writtenRows;
  }

  /** Before rows are written; `characters` of all of them. Throws SVC129. */
  spendWrites(rows: number, characters: number): void {
    this.#writtenRows += rows;
    this.#writtenCharacters += characters;
    const { writtenRows, writtenCharacters } = this.#limits;
    if (this.#writtenRows > writtenRows)
      throw errors.SVC129({ details: `The request writes more than ${writtenRows} rows.`, hint: IN_PARTS });
    if (this.#writtenCharacters > writtenCharacters)
      throw errors.SVC129({
        details: `The rows that the request writes have more than ${writtenCharacters} characters.`,
        hint: IN_PARTS,
      });
  }

  /** Resets the writes: a transaction is retried after a conflict. */
  beginWrites(): void {
    this.#writtenRows = 0;
    this.#writtenCharacters = 0;
  }

  /** Whether `pause` has anything to do; cheap enough to call for each row. */
  get isDue(): boolean {
    return turnIsOver() || this.#cancelled;
  }

  /**
   * Yields to the event loop. Throws SVC129 if the time is up or the client is gone, SVC000 if the store takes too
   * long.
   */
  async pause(): Promise<void> {
    this.#time.mark(true);
    this.#checkTime();
    await nextTurn();
    this.#time.skip();
    if (this.#cancelled) this.#checkTime();
  }

  /** The client is gone: the next pause ends the work. */
  cancel(): void {
    this.#cancelled = true;
    this.#interrupt?.();
  }

  /** Storage work that is aborted when the time is up or the client is gone. Throws SVC129 and SVC000. */
  async interrupting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#interrupt = () => controller.abort();
    if (this.#cancelled) controller.abort();
    const stop = this.#whenOver(() => controller.abort());
    try {
      return await work(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) this.#checkTime();
      throw error;
    } finally {
      stop();
      this.#interrupt = undefined;
    }
  }

  /** The result of work that may wait for the store uninterruptibly: the request stops waiting when its time is up. */
  async answerInTime<T>(work: Promise<T>): Promise<T> {
    let stop = (): void => {};
    const over = new Promise<never>((_, reject) => {
      stop = this.#whenOver(() => {
        try {
          this.#checkTime();
        } catch (error) {
          reject(error as Error);
        }
        this.cancel();
      });
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      stop();
    }
  }

  /** Calls `end` when a time limit is passed. Returns a stop function. */
  #whenOver(end: () => void): () => void {
    const { milliseconds } = this.#limits;
    const look = (): void => {
      this.#time.mark(false);
      const left = milliseconds - Math.max(this.#time.worked, this.#time.waited);
      if (left <= 0) end();
      else timer = setTimeout(look, Math.max(LEAST_WATCH, left)).unref();
    };
    let timer = setTimeout(look, Math.max(LEAST_WATCH, milliseconds)).unref();
    return () => clearTimeout(timer);
  }

  #checkTime(): void {
    if (this.#cancelled) throw errors.SVC129({ details: 'The client went away.' });
    const { milliseconds } = this.#limits;
    if (this.#time.worked > milliseconds) {
      throw errors.SVC129({
        details: `The request takes more than ${milliseconds} ms of work.`,
        hint: PAGING,
      });
    }
    if (this.#time.waited <= milliseconds) return;
    throw errors.SVC000({
      headers: { 'retry-after': '1' },
      details: `The storage has not answered for ${milliseconds} ms.`,
      hint: 'Ask again later.',
    });
  }

  /** From here to `resume` it waits for the client. */
  rest(): void {
    this.#time.rest();
  }

  resume(): void {
    this.#time.resume();
  }
}

/** Milliseconds between two looks at the clock. */
const LEAST_WATCH = 5;

const PAGING =
  'Ask for fewer rows at a time with limit and offset, for fewer embedded rows with RESOURCE.limit, or filter more.';

const IN_PARTS =
  'Write them in several requests: rows of a body in parts, rows that are found with limit and order. `plugboard import rows` loads files of any length.';

/** `items.map(work)` that checks the clock for each item, as one row may have thousands of values, and yields. */
export async function mapPaced<T, R>(
  budget: Budget,
  items: readonly T[],
  work: (item: T, at: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (budget.isDue) await budget.pause();
    results.push(work(items[at]!, at));
  }
  return results;
}

/** `items.filter(test)` that yields to the event loop. */
export async function filterPaced<T>(
  budget: Budget,
  items: readonly T[],
  test: (item: T) => boolean,
): Promise<T[]> {
  const passing: T[] = [];
  await eachPaced(budget, items, (item) => void (test(item) && passing.push(item)));
  return passing;
}

/** Runs `work` for every item and yields to the event loop. */
export async function eachPaced<T>(
  budget: Budget,
  items: readonly T[],
  work: (item: T, at: number) => void,
): Promise<void> {
  for (let at = 0; at < items.length; at += 1) {
    if (budget.isDue) await budget.pause();
    work(items[at]!, at);
  }
}

/** A stable sort that yields to the event loop: between any two comparisons if a value `isLong`. */
export async function sortPaced<T>(
  budget: Budget,
  items: readonly T[],
  compare: (a: T, b: T) => number,
  isLong = false,
): Promise<T[]> {
  return paced(budget, sortInSteps(items, compare, isLong));
}

/** The first `most` of `sortPaced`: keeps and sorts only few of many items. */
export async function firstPaced<T>(
  budget: Budget,
  items: readonly T[],
  compare: (a: T, b: T) => number,
  isLong: boolean,
  most: number,
): Promise<T[]> {
  const room = 2 * most + 1_000;
  if (items.length <= room) return (await sortPaced(budget, items, compare, isLong)).slice(0, most);
  let kept: T[] = [];
  let last: T | undefined;
  for (const item of items) {
    if (budget.isDue) await budget.pause();
    // One equal to the last comes after it, as it is met later.
    if (last !== undefined && compare(item, last) >= 0) continue;
    kept.push(item);
    if (kept.length < room) continue;
    kept = (await sortPaced(budget, kept, compare, isLong)).slice(0, most);
    last = kept.at(-1);
  }
  return (await sortPaced(budget, kept, compare, isLong)).slice(0, most);
}

/** Runs work that yields every few items to its end, and yields to the event loop. */
export async function paced<T>(budget: Budget, steps: Iterator<unknown, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (budget.isDue) await budget.pause();
  }
}
