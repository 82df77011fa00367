/**
 * What one request may cost: rows that it holds, characters of its answer, and time in which it works. A request that
 * spends more is refused (SVC129), and long work gives the event loop back every few milliseconds.
 */
import { nextTurn, sortInSteps, turnIsOver } from 'plugboard/sdk';
import { errors } from './errors.js';

export interface BudgetLimits {
  /** Rows of all levels together. */
  readonly rows: number;
  /** Characters of the answer. */
  readonly characters: number;
  /** Milliseconds of work and of waiting for the store: the turns of others and a client that reads slowly do not count. */
  readonly milliseconds: number;
  /** Rows that are stored, changed or deleted: a store may make them durable in one step, which cannot be interrupted. */
  readonly writtenRows: number;
  /** Characters of those that are stored or changed. */
  readonly writtenCharacters: number;
}

export class Budget {
  readonly #limits: BudgetLimits;
  #rows = 0;
  /** Fewer than the request may hold while something is tried. */
  #mostRows: number;
  #rowsRefused = false;
  #characters = 0;
  #writtenRows = 0;
  #writtenCharacters = 0;
  /** When the time is up, of `performance.now()`. */
  #end: number;
  #restingSince: number | undefined;
  #cancelled = false;
  /** Ends what storage is doing for the request. */
  #interrupt: (() => void) | undefined;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#mostRows = limits.rows;
    this.#end = performance.now() + limits.milliseconds;
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

  /** Runs work that may hold some rows, which do not count afterwards; undefined when it needs more of them. */
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

  /** For a part of the answer that may be repeated in it. Throws SVC129. */
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

  /** What is written in a transaction counts from nothing where a conflict makes it run again. */
  beginWrites(): void {
    this.#writtenRows = 0;
    this.#writtenCharacters = 0;
  }

  /** Whether `pause` has anything to do; cheap enough to be asked for each row. */
  get isDue(): boolean {
    return turnIsOver() || this.#cancelled;
  }

  /** Gives others their turn. Throws SVC129 when the time is up, or when the client is gone. */
  async pause(): Promise<void> {
    const left = performance.now();
    if (!this.#cancelled && left > this.#end) this.#refuseTime();
    await nextTurn();
    // Others had their turns: that is not time that this request took.
    if (this.#restingSince === undefined) this.#end += performance.now() - left;
    if (this.#cancelled || performance.now() > this.#end) this.#refuseTime();
  }

  /** The client is gone: the next pause ends the work. */
  cancel(): void {
    this.#cancelled = true;
    this.#interrupt?.();
  }

  /** Work of storage that gives up when the time is over, or when the client is gone. Throws SVC129. */
  async interrupting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), Math.max(0, this.#end - performance.now()));
    this.#interrupt = () => controller.abort();
    if (this.#cancelled) controller.abort();
    try {
      return await work(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) this.#refuseTime();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#interrupt = undefined;
    }
  }

  #refuseTime(): never {
    if (this.#cancelled) throw errors.SVC129({ details: 'The client went away.' });
    throw errors.SVC129({
      details: `The request takes more than ${this.#limits.milliseconds} ms.`,
      hint: PAGING,
    });
  }

  /** From here to `resume` the client is waited for. */
  rest(): void {
    this.#restingSince ??= performance.now();
  }

  resume(): void {
    if (this.#restingSince === undefined) return;
    this.#end += performance.now() - this.#restingSince;
    this.#restingSince = undefined;
  }
}

const PAGING =
  'Ask for fewer rows at a time with limit and offset, for fewer embedded rows with RESOURCE.limit, or filter more.';

const IN_PARTS =
  'Write them in several requests: rows of a body in parts, rows that are found with limit and order. `plugboard import rows` loads files of any length.';

/** `items.map(work)`, which looks at the clock for each item, as one row may have thousands of values, and gives the event loop back. */
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

/** `items.filter(test)`, which gives the event loop back. */
export async function filterPaced<T>(
  budget: Budget,
  items: readonly T[],
  test: (item: T) => boolean,
): Promise<T[]> {
  const passing: T[] = [];
  await eachPaced(budget, items, (item) => void (test(item) && passing.push(item)));
  return passing;
}

/** `work` for every item, which gives the event loop back. */
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

/** A stable sort, which gives the event loop back: between any two comparisons where one `isLong`. */
export async function sortPaced<T>(
  budget: Budget,
  items: readonly T[],
  compare: (a: T, b: T) => number,
  isLong = false,
): Promise<T[]> {
  return paced(budget, sortInSteps(items, compare, isLong));
}

/** The first `most` of what `sortPaced` gives: of many items few are kept and sorted. */
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
    // One that equals the last comes behind it, as it is met later.
    if (last !== undefined && compare(item, last) >= 0) continue;
    kept.push(item);
    if (kept.length < room) continue;
    kept = (await sortPaced(budget, kept, compare, isLong)).slice(0, most);
    last = kept.at(-1);
  }
  return (await sortPaced(budget, kept, compare, isLong)).slice(0, most);
}

/** Runs work that yields every few items to its end, and gives the event loop back. */
export async function paced<T>(budget: Budget, steps: Iterator<unknown, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (budget.isDue) await budget.pause();
  }
}
