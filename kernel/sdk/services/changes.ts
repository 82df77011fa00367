/** Changes that leave the server: a plugin notes what it changed, and endpoints of the operator are told. */
import type { Transaction } from '../storage/port.js';

/** Made for each plugin: its id is the source of what it notes. */
export interface Changes {
  /** False where the store has no transactions: then nothing is noted, and nobody needs to open one for it. */
  readonly on: boolean;
  /**
   * Whether an endpoint may want changes of a type, known without asking the store: who would open a transaction for
   * nothing but the note need not. Another instance's new endpoint is known a moment later.
   */
  wants(type: string, group?: string): boolean;
  /**
   * Notes changes in the transaction that makes them: each is delivered at least once to every endpoint that wants its
   * type, after the commit. Those of a subject arrive in the order of their transactions, if each of these writes one
   * document that stands for the subject. Nothing is written for a type that no endpoint wants.
   */
  record(tx: Transaction, ...changes: readonly NotedChange[]): Promise<void>;
  /**
   * Endpoints that the plugin manages under routes of its own, and that are told of its changes alone, in its own form.
   * Call it once, in `setup`.
   */
  own(form: ChangeForm): OwnEndpoints;
}

export interface NotedChange {
  /** Dotted: `v2.core.account.updated`. */
  readonly type: string;
  /** What changed: an id, unique in the plugin. */
  readonly subject: string;
  /** JSON. It leaves the server: no secrets. */
  readonly data: object;
  /** Of the change, where the plugin keeps it, too; a new one if left out. */
  readonly id?: string;
  /** When it happened, where the plugin keeps it; the time of the call if left out. */
  readonly at?: Date;
  /** Whose change it is: own endpoints are told of those of their group alone. */
  readonly group?: string;
}

export interface RecordedChange extends NotedChange {
  readonly id: string;
  readonly at: Date;
}

/** How the endpoints of a plugin are told. */
export interface ChangeForm {
  /** What is kept until it is sent. */
  body(change: RecordedChange): string;
  /** One attempt as it is sent, its type of content and the signature among its headers. */
  message(attempt: ChangeAttempt, endpoint: OwnEndpoint): ChangeMessage;
}

export interface ChangeAttempt {
  readonly secret: string;
  /** Of the change. */
  readonly id: string;
  readonly type: string;
  /** In milliseconds. */
  readonly at: number;
  readonly body: string;
}

export interface ChangeMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OwnEndpoint {
  readonly id: string;
  readonly url: string;
  /** Exact types, `v2.core.*`, or `*`. */
  readonly types: readonly string[];
  readonly paused: boolean;
  /** What the plugin keeps with it. JSON. */
  readonly more: object;
  readonly createdAt: Date;
}

type OwnEndpointFields = Pick<OwnEndpoint, 'url' | 'types' | 'more'>;

/** A change on its way to an endpoint, with its last attempt. */
export interface OwnDelivery {
  readonly id: string;
  /** The id of the change, the same for all endpoints. */
  readonly change: string;
  readonly type: string;
  readonly createdAt: Date;
  /** It was sent again by hand. */
  readonly again: boolean;
  readonly last: {
    readonly at: Date;
    /** How long it took. */
    readonly milliseconds: number;
    /** Null where no answer came. */
    readonly status: number | null;
    /** Null when it was delivered. */
    readonly error: string | null;
  };
}

/** Every method is of one group. Null where it has no such endpoint. */
export interface OwnEndpoints {
  /**
   * Throws a `ServiceError`: `address_refused` for an address that may not be called, `too_many_endpoints`, and
   * `transactions_missing` where nothing is noted. The secret is told here alone. `description`: for the operator, who sees
   * all endpoints.
   */
  create(
    group: string,
    fields: OwnEndpointFields & { readonly description?: string },
    secret?: string,
  ): Promise<{ readonly endpoint: OwnEndpoint; readonly secret: string }>;
  /** Oldest first. */
  list(group: string): Promise<OwnEndpoint[]>;
  find(group: string, id: string): Promise<OwnEndpoint | null>;
  change(
    group: string,
    id: string,
    fields: Partial<OwnEndpointFields & Pick<OwnEndpoint, 'paused'> & { readonly secret: string }>,
  ): Promise<OwnEndpoint | null>;
  /** False where there is none. */
  remove(group: string, id: string): Promise<boolean>;
  /** Tells this endpoint alone, whatever types it wants: a ping. */
  tell(tx: Transaction, endpoint: OwnEndpoint, change: NotedChange): Promise<void>;
  /** What was tried, newest first: up to `limit`, from behind one of them on. */
  deliveries(
    endpoint: OwnEndpoint,
    page: { readonly limit: number; readonly after?: Pick<OwnDelivery, 'id' | 'createdAt'> },
  ): Promise<OwnDelivery[]>;
  /** One that was tried, with its body as it is kept, by its id or what only that id begins with. */
  delivery(
    endpoint: OwnEndpoint,
    idOrStart: string,
  ): Promise<(OwnDelivery & { readonly body: string }) | null>;
  /** Sends one again. Throws the `ServiceError` `delivery_waiting` for one that is sent without being asked. */
  redeliver(endpoint: OwnEndpoint, id: string): Promise<void>;
}
