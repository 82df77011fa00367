/**
 * Hooks: what a plugin sees of the work of others. Small frozen records at its begin and its end; never a body, a text of a
 * model, a header or a secret. See docs/hooks.md.
 */

/** Texts that go with the work from one server to the next: W3C's `traceparent` and `tracestate`. */
export type Carried = Readonly<Record<string, string>>;

/** The work that can be observed, as it begins. `at`: milliseconds since 1970, with fractions. */
export interface Work {
  readonly request: {
    readonly at: number;
    /** The request id. */
    readonly id: string;
    readonly method: string;
    /** The pattern of the route, with its prefix: `/data/:relation`. Empty where no route is: paths may hold secrets. */
    readonly route: string;
    /** The id of the plugin instance whose route it is; `kernel` for the server's own and for none. */
    readonly plugin: string;
    /** As the caller sent it, unchecked; at most 1,000 characters. */
    readonly carried: Carried;
  };
  /** From a credential to a principal, and the limit that stands behind it. */
  readonly guard: { readonly at: number; readonly plugin: string };
  /** A call of the storage port: `findOne`, or `transaction`, in which others are. */
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
    /** Of the work that asked for the job, through `carries`; empty for a job that nobody's work asked for. */
    readonly carried: Carried;
  };
  /** A call of a model, from the choice of an upstream to the end of the answer. */
  readonly call: CallBegun & { readonly at: number };
}

export type WorkKind = keyof Work;

/** What a plugin may name under `observes`. */
export type Observed = WorkKind | 'log';

/** How it ended. `duration` in milliseconds; `error` is a code or the name of an error, never a message, and null when all went well. */
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

/** Who asked; null where no guard let anybody in. */
export interface Asker {
  /** See `principalId`. */
  readonly principal: string | null;
  /** See `ownerOf`. */
  readonly tenant: string | null;
}

export interface CallBegun extends Asker {
  /** Which route or service makes the call: `chat.completions`, `playground.improve-prompt`. */
  readonly purpose: string;
  /** What was asked for: `upstream/model`, or the name of a route. */
  readonly model: string;
  readonly stream: boolean;
}

export interface CallEnd {
  readonly status: number;
  readonly error: string | null;
  /** Null when none served the call. */
  readonly upstream: string | null;
  /** What the upstream speaks: `chat`, `responses`, `anthropic`, `gemini`. */
  readonly dialect: string | null;
  readonly servedModel: string | null;
  /** Null where the upstream does not say it. */
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly tokensCached: number | null;
  /** Milliseconds until a stream's first event; null without streaming. */
  readonly firstToken: number | null;
}

/** Both must return at once: see docs/hooks.md for what happens to one that is slow, or throws. */
export interface Hook<K extends WorkKind> {
  /**
   * What it returns is the plugin's own, and comes back in `end`. `outer` is what this plugin returned for the work in
   * which this begins; undefined where there is none.
   */
  begin?(work: Work[K], outer: unknown): unknown;
  end?(end: WorkEnd[K], own: unknown, work: Work[K]): unknown;
}

/** What a plugin returns as `hooks`: for what its definition names under `observes`. */
export type Hooks = { readonly [K in WorkKind]?: Hook<K> } & {
  /**
   * A line of the log, as it is written: JSON by pino, with secrets masked. `own` is that of the work under way. What a hook
   * itself logs is not told.
   */
  readonly log?: (line: string, own: unknown) => unknown;
  /** What goes along with a job, a call of an upstream or a webhook; `own` is that of the work under way. */
  readonly carries?: (own: unknown) => Carried | undefined;
};

/** For whoever provides models, or sends what should carry the trace. */
export interface Observers {
  /** Undefined while nobody observes calls: then there is nothing to do. */
  call(begun: CallBegun): ObservedCall | undefined;
  /** What goes along with a request to another server that belongs to the work under way; undefined where nothing does. */
  carried(): Carried | undefined;
}

export interface ObservedCall {
  /** Runs `work` inside of the call, so that what it begins belongs to it. */
  run<T>(work: () => T): T;
  /** Call it once. */
  end(end: CallEnd): void;
}
