/**
 * The current work, as the observers of one kernel see it. An `AsyncLocalStorage` carries the nesting; it is only used
 * while a plugin observes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  CallBegun,
  Carried,
  Hooks,
  Observed,
  ObservedCall,
  Observers,
  Work,
  WorkEnd,
  WorkKind,
} from '../sdk/plugin/hooks.js';
import type { Logger } from '../sdk/plugin/logger.js';
import { Observer } from './observer.js';

/** A plugin that declares `observes`; its hooks are added once it is set up. */
interface Declared {
  readonly id: string;
  readonly definition: { readonly observes?: readonly Observed[] };
}

export class Observation implements Observers {
  readonly #kinds: ReadonlySet<Observed>;
  readonly #under = new AsyncLocalStorage<Span<WorkKind>>();
  #observers: readonly Observer[] = [];
  #tellsLine = false;

  constructor(declared: readonly Declared[]) {
    this.#kinds = new Set(declared.flatMap(({ definition }) => definition.observes ?? []));
  }

  /** Known before any plugin is set up: work that nobody observes is not wrapped. */
  observes(kind: Observed): boolean {
    return this.#kinds.has(kind);
  }

  add(hooks: Hooks, log: Logger, signal: AbortSignal): void {
    this.#observers = [...this.#observers, new Observer(hooks, log, signal)];
  }

  /** `alone`: it has no parent, even if other work is in progress. */
  begin<K extends WorkKind>(kind: K, about: Omit<Work[K], 'at'>, alone = false): Span<K> {
    const outer = alone ? undefined : this.#current();
    const work = Object.freeze({ at: performance.timeOrigin + performance.now(), ...about }) as Work[K];
    const states = this.#observers.map((observer, at) => observer.begin(kind, work, outer?.states[at]));
    return new Span(this, { kind, work, states, outer });
  }

  ended<K extends WorkKind>({ kind, work, states }: Span<K>, end: WorkEnd[K]): void {
    Object.freeze(end);
    // A later observer has not seen the start.
    for (const [at, observer] of this.#observers.slice(0, states.length).entries())
      observer.end(kind, end, states[at], work);
  }

  run<T>(span: Span<WorkKind>, work: () => T): T {
    return this.#under.run(span, work);
  }

  /** Skips lines logged by an observer itself, which would recurse. */
  line(line: string): void {
    if (this.#tellsLine) return;
    this.#tellsLine = true;
    const states = this.#current()?.states ?? [];
    for (const [at, observer] of this.#observers.entries()) observer.line(line, states[at]);
    this.#tellsLine = false;
  }

  call(begun: CallBegun): ObservedCall | undefined {
    return this.observes('call') ? this.begin('call', begun) : undefined;
  }

  carried(): Carried | undefined {
    const span = this.#current();
    if (span === undefined) return undefined;
    const carried = this.#observers.map((observer, at) => observer.carries(span.states[at]));
    const all = Object.assign({}, ...carried) as Record<string, string>;
    return Object.keys(all).length === 0 ? undefined : all;
  }

  /** Timers and queues keep the context in which they were made; work that has ended owns nothing. */
  #current(): Span<WorkKind> | undefined {
    let span = this.#under.getStore();
    while (span?.isOver === true) span = span.outer;
    return span;
  }
}

interface SpanParts<K extends WorkKind> {
  readonly kind: K;
  readonly work: Work[K];
  /** The own value of each observer. */
  readonly states: readonly unknown[];
  readonly outer: Span<WorkKind> | undefined;
}

export class Span<K extends WorkKind> {
  readonly kind: K;
  readonly work: Work[K];
  readonly states: readonly unknown[];
  readonly outer: Span<WorkKind> | undefined;
  readonly #observation: Observation;
  readonly #began = performance.now();
  #over = false;

  constructor(observation: Observation, { kind, work, states, outer }: SpanParts<K>) {
    this.#observation = observation;
    this.kind = kind;
    this.work = work;
    this.states = states;
    this.outer = outer;
  }

  get isOver(): boolean {
    return this.#over;
  }

  run<T>(work: () => T): T {
    return this.#observation.run(this as unknown as Span<WorkKind>, work);
  }

  end(end: Omit<WorkEnd[K], 'duration'>): void {
    if (this.#over) return;
    this.#over = true;
    const duration = performance.now() - this.#began;
    this.#observation.ended(this, { duration, ...end } as WorkEnd[K]);
  }
}

/** An error's code or name. Its message may hold secrets. */
export function errorName(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const said = typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : name;
  return typeof said === 'string' && said !== '' ? said.slice(0, 64) : 'Error';
}
