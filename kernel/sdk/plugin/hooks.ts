/**
 * Hooks let a plugin observe the work of others: small frozen records at its start and its end, never a body, a model's
 * text, a header or a secret. See docs/hooks.md.
 */

/** Trace context that travels with the work between servers: W3C's `traceparent` and `tracestate`. */
export type Carried = Readonly<Record<string, string>>;

/** The work that can be observed, as it begins. `at`: milliseconds since 1970, with fractions. */
export interface Work {
  readonly request: {
    readonly at: number;
    /** The request id. */
    readonly id: string;
    readonly method: string;
    /** The route's pattern with its prefix: `/data/:relation`. Empty if no route matches, as paths may hold secrets. */
    readonly route: string;
    /** The id of the plugin instance that owns the route; `kernel` for the server's own, or for none. */
    readonly plugin: string;
    /** As the caller sent it, unchecked; at most 1,000 characters. */
    readonly carried: Carried;
  };
  /** From a credential to a principal, and the rate limit after it. */
  readonly guard: { readonly at: number; readonly plugin: string };
  /** A call of the storage port: `findOne`, or `transaction`, which contains others. */
  readonly store: {
    readonly at: number;
    readonly plugin: string;
    /** Null for a transaction. */
    readonly collection: string | null;
    readonly operation: string;
  };
  /** One run of a job. */
  readonly job: {
    readonly at: number;
    readonly id: string;
    readonly plugin: string;
    readonly name: string;
    readonly attempt: number;
    /** From the work that added the job, through `carries`; empty for a job added outside of any work. */
    readonly carried: Carried;
  };
  /** A model call, from the choice of an upstream to the end of the answer. */
  readonly call: CallBegun & { readonly at: number };
}

export type WorkKind = keyof Work;

/** What a plugin may name under `observes`. */
export type Observed = WorkKind | 'log';

/** How it ended. `duration` in milliseconds; `error` is a code or an error's name, never a message; null on success. */
export interface WorkEnd {
  readonly request: Asker & {
    readonly duration: number;
    /** Null when the client left before the answer. */
    readonly status: number | null;
  };
  readonly guard: Asker & { readonly duration: number; readonly error: string | null };
  readonly store: { readonly duration: number; readonly error: string | null };
  readonly job: {
    readonly duration: number;
    /** `interrupted`: cancelled, stopped or taken by another instance. */
    readonly outcome: 'done' | 'failed' | 'interrupted';
    readonly error: string | null;
  };
  readonly call: CallEnd & { readonly duration: number };
}

/** Who asked; null if no guard admitted anyone. */
export interface Asker {
  /** See `principalId`. */
  readonly principal: string | null;
  /** See `ownerOf`. */
  readonly tenant: string | null;
}

export interface CallBegun extends Asker {
  /** Which route or service makes the call: `chat.completions`, `playground.improve-prompt`. */
  readonly purpose: string;
  /** The model requested: `upstream/model`, or the name of a route. */
  readonly model: string;
  readonly stream: boolean;
}

export interface CallEnd {
  readonly status: number;
  readonly error: string | null;
  /** Null if no upstream served the call. */
  readonly upstream: string | null;
  /** The upstream's dialect: `chat`, `responses`, `anthropic`, `gemini`. */
  readonly dialect: string | null;
  readonly servedModel: string | null;
  /** Null if the upstream does not report it. */
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly tokensCached: number | null;
  /** Milliseconds until a stream's first event; null without streaming. */
  readonly firstToken: number | null;
}

/** Both must return at once: docs/hooks.md says what happens to a slow hook, or one that throws. */
export interface Hook<K extends WorkKind> {
  /**
   * The return value is the plugin's own and comes back in `end`. `outer` is what this plugin returned for the
   * enclosing work; undefined if there is none.
   */
  begin?(work: Work[K], outer: unknown): unknown;
  end?(end: WorkEnd[K], own: unknown, work: Work[K]): unknown;
}

/** What a plugin returns as `hooks`, for the kinds of work that its definition names under `observes`. */
export type Hooks = { readonly [K in WorkKind]?: Hook<K> } & {
  /**
   * A line of the log as written: pino's JSON, secrets masked. `own` is that of the current work. Lines that a hook
   * itself logs are left out.
   */
  readonly log?: (line: string, own: unknown) => unknown;
  /** Trace context for a job, an upstream call or a webhook; `own` is that of the current work. */
  readonly carries?: (own: unknown) => Carried | undefined;
};

/** For plugins that provide models, or send requests that should carry the trace. */
export interface Observers {
  /** Undefined while no plugin observes calls. */
  call(begun: CallBegun): ObservedCall | undefined;
  /** Trace context for a request to another server made by the current work; undefined if there is none. */
  carried(): Carried | undefined;
}

export interface ObservedCall {
  /** Runs `work` inside the call, so that work it starts belongs to the call. */
  run<T>(work: () => T): T;
  /** Call it once. */
  end(end: CallEnd): void;
}
