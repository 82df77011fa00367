/** Webhooks: a plugin records its changes, and they are delivered to the operator's endpoints. */
import type { Transaction } from '../storage/port.js';

/** Made for each plugin; its id is the source of the changes it records. */
export interface Changes {
  /** False if the store has no transactions: nothing is recorded, so there is no need to open one. */
  readonly on: boolean;
  /**
   * Whether an endpoint may want changes of a type, without a read: saves a transaction that would only record a
   * change. Another instance's new endpoint is known a moment later.
   */
  wants(type: string, group?: string): boolean;
  /**
   * Records changes in the transaction that makes them: each is delivered at least once to every endpoint that wants
   * its type, after the commit. A subject's changes arrive in the order of their transactions, provided that each
   * transaction writes the same document for that subject. Nothing is written for a type that no endpoint wants.
   */
  record(tx: Transaction, ...changes: readonly NotedChange[]): Promise<void>;
  /** Deletes recorded changes, sent or not, because they hold data of an erased person. */
  forget(tx: Transaction, changes: readonly Required<Pick<NotedChange, 'subject' | 'id'>>[]): Promise<void>;
  /**
   * Endpoints that the plugin manages under its own routes. They receive only its changes, in its own form. Call it
   * once, in `setup`.
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
  /** The change's id if the plugin stores the change too; default: a new one. */
  readonly id?: string;
  /** When it happened, if the plugin stores it; default: now. */
  readonly at?: Date;
  /** The owner of the change: own endpoints receive only those of their group. */
  readonly group?: string;
  /**
   * The subject is erased with a person's data: earlier changes of it are deleted, sent or not, and this one as soon as
   * it is delivered or given up.
   */
  readonly erases?: boolean;
}

export interface RecordedChange extends NotedChange {
  readonly id: string;
  readonly at: Date;
}

/** The form of deliveries to a plugin's own endpoints. */
export interface ChangeForm {
  /** The body, stored until it is sent. */
  body(change: RecordedChange): string;
  /** One attempt as sent; the headers include the content type and the signature. */
  message(attempt: ChangeAttempt, endpoint: OwnEndpoint): ChangeMessage;
}

export interface ChangeAttempt {
  readonly secret: string;
  /** The change's id. */
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
  /** The plugin's own data on it. JSON. */
  readonly more: object;
  readonly createdAt: Date;
}

type OwnEndpointFields = Pick<OwnEndpoint, 'url' | 'types' | 'more'>;

/** The delivery of a change to an endpoint, with its last attempt. */
export interface OwnDelivery {
  readonly id: string;
  /** The id of the change, the same for all endpoints. */
  readonly change: string;
  readonly type: string;
  readonly createdAt: Date;
  /** Resent by hand. */
  readonly again: boolean;
  readonly last: {
    readonly at: Date;
    /** How long it took. */
    readonly milliseconds: number;
    /** Null if no answer came. */
    readonly status: number | null;
    /** Null if delivered. */
    readonly error: string | null;
  };
}

/** Each method works on one group, and resolves to null if the group has no such endpoint. */
export interface OwnEndpoints {
  /**
   * Throws a `ServiceError`: `address_refused` for a forbidden address, `too_many_endpoints`, and
   * `transactions_missing` if nothing is recorded. Only this call returns the secret. `description` is for the
   * operator, who sees all endpoints.
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
  /** False if there is none. */
  remove(group: string, id: string): Promise<boolean>;
  /** Delivers to this endpoint alone, whatever types it wants: a ping. */
  tell(tx: Transaction, endpoint: OwnEndpoint, change: NotedChange): Promise<void>;
  /** Attempted deliveries, newest first: up to `limit`, starting after `after`. */
  deliveries(
    endpoint: OwnEndpoint,
    page: { readonly limit: number; readonly after?: Pick<OwnDelivery, 'id' | 'createdAt'> },
  ): Promise<OwnDelivery[]>;
  /** An attempted delivery with its stored body, by its id or a unique prefix of it. */
  delivery(
    endpoint: OwnEndpoint,
    idOrStart: string,
  ): Promise<(OwnDelivery & { readonly body: string }) | null>;
  /** Resends a delivery. Throws the `ServiceError` `delivery_waiting` if it is queued anyway. */
  redeliver(endpoint: OwnEndpoint, id: string): Promise<void>;
}
