/** Event destinations: webhook endpoints of a platform for thin events. */
import { newId, type Clock, type OwnEndpoint, type OwnEndpoints, type Storage } from 'plugboard/sdk';
import { randomId } from '../account/id.js';
import { Refused } from '../errors/errors.js';
import type { Platform } from '../platform/platforms.js';
import { PING, thin, type EventDocument } from './event.js';
import type { EventLog } from './event-log.js';
import type { DestinationChange, NewDestination } from './schema.js';

export interface DestinationParts {
  readonly endpoints: OwnEndpoints;
  readonly log: EventLog;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** Stored with the endpoint. */
interface More {
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly updated: string;
}

export class Destinations {
  readonly #parts: DestinationParts;

  constructor(parts: DestinationParts) {
    this.#parts = parts;
  }

  /** The only place that returns the signing secret, if `include` requests it. */
  async create(platform: Platform, body: NewDestination) {
    const { name, description = null, metadata = {}, enabled_events: types, include } = body;
    const { url } = body.webhook_endpoint;
    const more: More = { name, description, metadata: present(metadata), updated: this.#now() };
    const { endpoint, secret } = await this.#parts.endpoints.create(platform.id, { url, types, more });
    return shown(endpoint, platform, include, secret);
  }

  async list(platform: Platform, include: Include) {
    const all = await this.#parts.endpoints.list(platform.id);
    return all.map((endpoint) => shown(endpoint, platform, include));
  }

  async read(platform: Platform, id: string, include: Include) {
    return shown(await this.#find(platform, id), platform, include);
  }

  async change(platform: Platform, id: string, body: DestinationChange) {
    const { name, description, metadata, enabled_events: types, webhook_endpoint: webhook, include } = body;
    const before = (await this.#find(platform, id)).more as More;
    const more: More = {
      name: name ?? before.name,
      description: description === undefined ? before.description : description,
      metadata: present({ ...before.metadata, ...metadata }),
      updated: this.#now(),
    };
    const url = webhook?.url;
    return this.#set(platform, id, { more, ...(types && { types }), ...(url && { url }) }, include);
  }

  async setEnabled(platform: Platform, id: string, enabled: boolean) {
    const { more } = await this.#find(platform, id);
    return this.#set(platform, id, {
      more: { ...more, updated: this.#now() },
      paused: !enabled,
    });
  }

  async remove(platform: Platform, id: string) {
    if (!(await this.#parts.endpoints.remove(platform.id, endpointId(id)))) throw notThere(id);
    return { id, object: 'v2.core.event_destination' as const, deleted: true };
  }

  /** Sends an event to the endpoint, whatever types it selects, and returns it. */
  async ping(platform: Platform, id: string) {
    const { endpoints, log, storage, clock } = this.#parts;
    const endpoint = await this.#find(platform, id);
    const event: EventDocument = {
      _id: `evt_${randomId()}`,
      platform: platform.id,
      type: PING,
      subject: id,
      created: new Date(clock.now()),
    };
    await storage.transaction(async (tx) => {
      await log.add(tx, event);
      await endpoints.tell(tx, endpoint, {
        id: event._id,
        at: event.created,
        type: PING,
        // A ping does not wait for earlier events.
        subject: `${id} ${newId()}`,
        data: { id, livemode: platform.livemode },
      });
    });
    return thin(event, platform.livemode);
  }

  async #find(platform: Platform, id: string): Promise<OwnEndpoint> {
    const found = await this.#parts.endpoints.find(platform.id, endpointId(id));
    if (found === null) throw notThere(id);
    return found;
  }

  async #set(
    platform: Platform,
    id: string,
    fields: Parameters<OwnEndpoints['change']>[2],
    include?: Include,
  ) {
    const changed = await this.#parts.endpoints.change(platform.id, endpointId(id), fields);
    if (changed === null) throw notThere(id);
    return shown(changed, platform, include);
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

type Include = readonly string[] | undefined;

const PREFIX = 'ed_';
const MOST_METADATA = 50;

function endpointId(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : '';
}

function notThere(id: string): Refused {
  return new Refused({
    code: 'not_found',
    message: `there is no event destination "${id.slice(0, 200)}"`,
  });
}

/** An empty text removes a metadata entry. */
function present(metadata: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(metadata).filter(([, value]) => value !== '');
  if (kept.length > MOST_METADATA)
    throw new Refused({ code: 'invalid_fields', message: `metadata may have ${MOST_METADATA} members` });
  return Object.fromEntries(kept);
}

function shown(endpoint: OwnEndpoint, { livemode }: Platform, include: Include = [], secret?: string) {
  const { id, url, types, paused, createdAt } = endpoint;
  const { name, description, metadata, updated } = endpoint.more as More;
  const asks = (member: string): boolean => include.includes(`webhook_endpoint.${member}`);
  return {
    id: `${PREFIX}${id}`,
    object: 'v2.core.event_destination' as const,
    type: 'webhook_endpoint' as const,
    name,
    description,
    enabled_events: [...types],
    event_payload: 'thin' as const,
    events_from: ['@self'],
    metadata,
    status: paused ? ('disabled' as const) : ('enabled' as const),
    status_details: paused ? { disabled: { reason: 'user' as const } } : null,
    webhook_endpoint: {
      url: asks('url') ? url : null,
      signing_secret: secret !== undefined && asks('signing_secret') ? secret : null,
    },
    created: createdAt.toISOString(),
    updated,
    livemode,
  };
}
