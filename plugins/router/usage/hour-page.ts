/**
 * Calls of one hour, member by member: what many calls have in common stands there once, and the rest are lists of
 * numbers. Written as one text it takes a tenth of the time of a document's member for each member of a call.
 */
import type { UsageRecord } from './record.js';
import { dayOf, noUsage, type UsageEntry } from './sums.js';

/** What the calls of a page have in common with many others. */
type CallKind = Pick<
  UsageRecord,
  'key' | 'purpose' | 'model' | 'route' | 'upstream' | 'servedModel' | 'stream' | 'status' | 'errorCode'
>;

/** One item for each call, in the order of their ends. */
interface Columns {
  /** The place of the call's kind. */
  readonly kind: number[];
  /** Milliseconds of the hour. */
  readonly at: number[];
  readonly attempts: number[];
  readonly latency: number[];
  readonly firstToken: (number | null)[];
  readonly tokensIn: (number | null)[];
  readonly tokensOut: (number | null)[];
  readonly tokensCached: (number | null)[];
}

interface Page extends Columns {
  readonly kinds: readonly CallKind[];
}

const HOUR = 3_600_000;

export class HourPage {
  readonly hour: Date;
  readonly #start: number;
  readonly #kinds: CallKind[] = [];
  readonly #places = new Map<string, number>();
  /** The place of the last call's kind: most calls are like the one before. */
  #last = -1;
  readonly #columns: Columns = {
    kind: [],
    at: [],
    attempts: [],
    latency: [],
    firstToken: [],
    tokensIn: [],
    tokensOut: [],
    tokensCached: [],
  };

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
    columns.attempts.push(record.attempts);
    columns.latency.push(record.latency);
    columns.firstToken.push(record.firstToken);
    columns.tokensIn.push(record.tokensIn);
    columns.tokensOut.push(record.tokensOut);
    columns.tokensCached.push(record.tokensCached);
  }

  /** JSON, for `callsOf`. */
  get text(): string {
    const page: Page = { kinds: this.#kinds, ...this.#columns };
    return JSON.stringify(page);
  }

  /** What was used, an entry for each kind of call. */
  entries(): UsageEntry[] {
    const day = dayOf(this.hour);
    const entries = this.#kinds.map(({ key, model, upstream }): UsageEntry => {
      return { day, key, model, upstream, ...noUsage() };
    });
    const { kind, tokensIn, tokensOut, tokensCached } = this.#columns;
    for (const [at, place] of kind.entries()) {
      const entry = entries[place];
      if (entry === undefined) continue;
      entry.calls += 1;
      if (this.#kinds[place]?.errorCode !== null) entry.errors += 1;
      entry.tokensIn += tokensIn[at] ?? 0;
      entry.tokensOut += tokensOut[at] ?? 0;
      entry.tokensCached += tokensCached[at] ?? 0;
      if (tokensIn[at] === null) entry.unmetered += 1;
    }
    return entries;
  }

  #placeOf(record: UsageRecord): number {
    const { key, purpose, model, route, upstream, servedModel, stream, status, errorCode } = record;
    const kind = { key, purpose, model, route, upstream, servedModel, stream, status, errorCode };
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
    return {
      at: new Date(start + page.at[call]!),
      ...kind,
      attempts: page.attempts[call]!,
      latency: page.latency[call]!,
      firstToken: page.firstToken[call]!,
      tokensIn: page.tokensIn[call]!,
      tokensOut: page.tokensOut[call]!,
      tokensCached: page.tokensCached[call]!,
    };
  });
}

function isOfKind(record: UsageRecord, kind: CallKind): boolean {
  return (
    record.model === kind.model &&
    record.key === kind.key &&
    record.purpose === kind.purpose &&
    record.route === kind.route &&
    record.upstream === kind.upstream &&
    record.servedModel === kind.servedModel &&
    record.stream === kind.stream &&
    record.status === kind.status &&
    record.errorCode === kind.errorCode
  );
}
