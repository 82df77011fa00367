/** Endpoints: who gets which changes. */
import {
  insertWithin,
  nameProblem,
  newId,
  type Clock,
  type Collection,
  type Filter,
  type Secrets,
} from 'plugboard/sdk';
import type { DeliveryDocument, EndpointDocument } from './documents.js';
import { errors } from './errors.js';
import type { Listeners } from './listeners.js';
import type { EndpointChange, NewEndpoint } from './schema.js';
import { newSecret } from './signature.js';

export interface EndpointParts {
  readonly endpoints: Collection<EndpointDocument>;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly listeners: Listeners;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly allowPrivate: boolean;
  readonly maxEndpoints: number;
}

/** Milliseconds for which changes are kept for a listener that does not ask. */
const LISTENING = 3_600_000;

export class Endpoints {
  readonly #parts: EndpointParts;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    parts.secrets.keeps('secrets of webhooks', parts.endpoints, 'sealedSecret', sealContext);
  }

  /** The secret is shown only here. */
  async create(
    endpoint: NewEndpoint,
    own?: EndpointDocument['own'],
    secret?: string,
  ): Promise<{ endpoint: EndpointDocument; secret: string }> {
    this.#check(endpoint.url);
    return this.#insert({ ...endpoint, ...(own && { own }) }, secret);
  }

  /** A listener asks for its changes itself. */
  listen(types: string[]): Promise<{ endpoint: EndpointDocument; secret: string }> {
    const askedAt = new Date(this.#parts.clock.now());
    return this.#insert({ url: '', types, description: 'plugboard listen', askedAt });
  }

  async asked(id: string): Promise<void> {
    const askedAt = new Date(this.#parts.clock.now());
    await this.#parts.endpoints.updateOne({ _id: id }, { $set: { askedAt } });
  }

  /** Listeners that have not asked for an hour: their changes would pile up for ever. */
  async removeSilent(): Promise<void> {
    const silent = { askedAt: { $lt: new Date(this.#parts.clock.now() - LISTENING) } };
    for (const { _id } of await this.list(silent)) await this.remove(_id);
  }

  async #insert(
    { description = '', own, ...fields }: NewEndpoint & Pick<EndpointDocument, 'own' | 'askedAt'>,
    secret = newSecret(),
  ): Promise<{ endpoint: EndpointDocument; secret: string }> {
    const { endpoints, listeners, secrets, clock, maxEndpoints } = this.#parts;
    const alike =
      own === undefined ? { own: { $exists: false } } : { 'own.plugin': own.plugin, 'own.group': own.group };
    const _id = newId();
    const endpoint: EndpointDocument = {
      _id,
      ...fields,
      description,
      paused: false,
      pausedBecause: null,
      sealedSecret: secrets.seal(secret, sealContext(_id)),
      createdAt: new Date(clock.now()),
      ...(own && { own }),
    };
    if (!(await insertWithin(endpoints, endpoint, alike, maxEndpoints)))
      throw errors.too_many_endpoints({ values: { limit: maxEndpoints } });
    await listeners.refresh();
    return { endpoint, secret };
  }

  list(filter: Filter<EndpointDocument> = {}): Promise<EndpointDocument[]> {
    return this.#parts.endpoints.find(filter, { sort: { createdAt: 1, _id: 1 } }).toArray();
  }

  find(id: string): Promise<EndpointDocument | null> {
    return this.#parts.endpoints.findOne({ _id: id });
  }

  /** While paused, its deliveries are held; they are sent when it is resumed. */
  async change(
    id: string,
    {
      paused,
      secret,
      ...fields
    }: EndpointChange & { readonly 'own.more'?: string; readonly secret?: string },
  ): Promise<EndpointDocument> {
    if (fields.url !== undefined) this.#check(fields.url);
    if (paused === true) await this.pause(id, null);
    const changed = await this.#parts.endpoints.findOneAndUpdate(
      { _id: id },
      {
        $set: {
          ...fields,
          ...(paused === false && { paused, pausedBecause: null }),
          ...(secret !== undefined && { sealedSecret: this.#parts.secrets.seal(secret, sealContext(id)) }),
        },
      },
    );
    if (changed === null) throw errors.endpoint_not_found({ values: { id } });
    if (fields.types !== undefined) await this.#parts.listeners.refresh();
    if (paused === false)
      await this.#parts.deliveries.updateMany(
        { endpoint: id, state: 'held' },
        { $set: { state: 'waiting', dueAt: new Date(this.#parts.clock.now()) } },
      );
    return changed;
  }

  async pause(id: string, because: string | null): Promise<void> {
    await this.#parts.endpoints.updateOne({ _id: id }, { $set: { paused: true, pausedBecause: because } });
    await this.#parts.deliveries.updateMany(
      { endpoint: id, state: 'waiting' },
      { $set: { state: 'held', claim: null } },
    );
  }

  /** Together with its pending deliveries. */
  async remove(id: string): Promise<void> {
    if ((await this.#parts.endpoints.deleteOne({ _id: id })) === 0)
      throw errors.endpoint_not_found({ values: { id } });
    await this.#parts.deliveries.deleteMany({ endpoint: id });
  }

  secretOf({ _id, sealedSecret }: EndpointDocument): string {
    return this.#parts.secrets.open(sealedSecret, sealContext(_id));
  }

  #check(url: string): void {
    const problem = urlProblem(url, this.#parts.allowPrivate);
    if (problem !== undefined) throw errors.address_refused({ message: problem, param: 'url' });
  }
}

/** What is wrong with an address; the IP addresses of a name are checked when connecting. */
export function urlProblem(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'url must be a whole URL, such as https://example.com/hooks';
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'url must begin with https:// or http://';
  if (username !== '' || password !== '') return 'url must not hold a user or a password';
  switch (nameProblem(hostname.replace(/^\[|\]$/g, ''), allowPrivate)) {
    case 'address_private':
      return 'url leads to a loopback or private address; allowPrivate in the config would allow that';
    case 'address_forbidden':
      return 'url leads to a link-local, metadata, multicast or unspecified address';
    default:
      return undefined;
  }
}

function sealContext(id: string): string {
  return `changes endpoint ${id}`;
}
