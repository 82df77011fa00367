/**
 * Calls of one hour in columns: what many calls have in common is stored once, the rest are lists of numbers. Writing
 * them as one text takes a tenth of the time of a document member per member of a call.
 */
import type { UsageRecord } from './record.js';
import { addUsage, dayOf, noUsage, usageOf, type UsageEntry, type UsageSums } from './sums.js';

const KINDRED = [
  'key',
  'purpose',
  'model',
  'route',
  'upstream',
  'servedModel',
  'stream',
  'status',
  'errorCode',
  'pricedAs',
  'person',
  'tags',
  'cached',
] as const;

/** What the calls of a page have in common with many others. */
type CallKind = Pick<UsageRecord, (typeof KINDRED)[number]>;

/** Of each call a number, or null. */
const NUMBERS = [
  'attempts',
  'latency',
  'firstToken',
  'tokensIn',
  'tokensOut',
  'tokensCached',
  'tokensCacheWritten',
  'tokensReasoning',
  'estimatedIn',
  'estimatedOut',
  'cost',
] as const;

type Numbers = Pick<UsageRecord, (typeof NUMBERS)[number]>;

/** One item for each call, in the order of their ends. */
type Columns = Record<keyof Numbers, (number | null)[]> & {
  /** The place of the call's kind. */
  readonly kind: number[];
  /** Milliseconds of the hour. */
  readonly at: number[];
};

/** Pages from before a number was recorded have no column for it. */
type Page = Partial<Columns> & Pick<Columns, 'kind' | 'at'> & { readonly kinds: readonly CallKind[] };

const HOUR = 3_600_000;

export class HourPage {
  readonly hour: Date;
  readonly #start: number;
  readonly #kinds: CallKind[] = [];
  readonly #places = new Map<string, number>();
  /** The place of the last call's kind: most calls are like the one before. */
  #last = -1;
  readonly #columns: Columns = { kind: [], at: [], ...emptyColumns() };
  /** What was used, an entry for each kind of call. */
  readonly #used: UsageSums[] = [];

  constructor(hour: Date) {
    this.hour = hour;
    this.#start = hour.getTime();
  }

  add(record: UsageRecord): void {
    const last = this.#kinds[this.#last];
    if (last === undefined || !isOfKind(record, last)) this.#last = this.#placeOf(record);
    const columns = this.#columns;
    columns.kind.push(this.#last);
    columns.at.push(record.at.getTime() - this.#start);
    for (const name of NUMBERS) columns[name].push(record[name]);
    addUsage((this.#used[this.#last] ??= noUsage()), usageOf(record));
  }

  /** JSON, for `callsOf`. */
  get text(): string {
    const page: Page = { kinds: this.#kinds, ...this.#columns };
    return JSON.stringify(page);
  }

  entries(): UsageEntry[] {
    const day = dayOf(this.hour);
    return this.#kinds.map(({ key, model, upstream }, place): UsageEntry => {
      return { day, key, model, upstream, ...(this.#used[place] ?? noUsage()) };
    });
  }

  #placeOf(record: UsageRecord): number {
    const kind = Object.fromEntries(KINDRED.map((name) => [name, record[name]])) as unknown as CallKind;
    const name = JSON.stringify(kind);
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.#kinds.push(kind) - 1;
      this.#places.set(name, place);
    }
    return place;
  }
}

/** The beginning of the hour that `at` is in. */
export function hourOf(at: Date): Date {
  const time = at.getTime();
  return new Date(time - (time % HOUR));
}

/** The calls of a page's text. Pages that were stored before there was a text are lists of calls. */
export function callsOf(hour: Date, stored: string | readonly UsageRecord[]): readonly UsageRecord[] {
  if (typeof stored !== 'string') return stored;
  const page = JSON.parse(stored) as Page;
  const start = hour.getTime();
  return page.kind.map((place, call) => {
    const kind = page.kinds[place]!;
    const numbers = NUMBERS.map((name) => [name, page[name]?.[call] ?? null]);
    return {
      at: new Date(start + page.at[call]!),
      ...UNKNOWN,
      ...kind,
      ...(Object.fromEntries(numbers) as Numbers),
    };
  });
}

/** Of calls that were stored before these were kept. */
const UNKNOWN = { pricedAs: null, person: null, tags: null, cached: false };

function emptyColumns(): Record<keyof Numbers, (number | null)[]> {
  return Object.fromEntries(NUMBERS.map((name) => [name, []])) as never;
}

function isOfKind(record: UsageRecord, kind: CallKind): boolean {
  for (const name of KINDRED) if (record[name] !== kind[name]) return false;
  return true;
}
