/** Hooks of repositories: endpoints of this plugin, whose group is a repository. */
import {
  isServiceError,
  newId,
  type Clock,
  type Collection,
  type OwnDelivery,
  type OwnEndpoint,
  type OwnEndpoints,
  type Storage,
} from 'plugboard/sdk';
import type { RepositoryDocument } from '../directory/documents.js';
import { errors, validationFailed } from '../errors.js';
import type { EventDocument } from '../store/documents.js';
import { seconds } from '../store/text.js';
import { TYPE_PREFIX } from './change.js';
import { numberOf, PING, startOf, type HookMore } from './form.js';
import { newestPush } from './newest-push.js';
import { repositoryOf } from './payload.js';
import { eventsOf, MASKED, presentHook } from './present.js';
import type { ConfigChange, HookChange, NewConfig, NewHook } from './schema.js';

export interface HookParts {
  readonly endpoints: OwnEndpoints;
  readonly events: Collection<EventDocument>;
  readonly storage: Storage;
  readonly clock: Clock;
}

/** A hook's repository, as its caller addresses it. */
export interface Place {
  readonly repository: RepositoryDocument;
  /** The address of the repository in this API. */
  readonly url: string;
}

const ALL = '*';
const ZEN = 'Keep it logically awesome.';

export class Hooks {
  readonly #parts: HookParts;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  /** Pings it at once. Throws `validation_failed`. */
  async create(place: Place, { config, events = ['push'], active = true }: NewHook): Promise<OwnEndpoint> {
    const { endpoints } = this.#parts;
    const { id, name: description } = place.repository;
    const group = String(id);
    const { url, content_type: contentType = 'form', secret = '' } = config;
    for (const other of await endpoints.list(group))
      if (isAlike(other, url, contentType, events))
        throw refused('custom', undefined, 'Hook already exists on this repository');
    const more: HookMore = { repository: id, contentType, signed: secret !== '', updated: this.#now() };
    const created = await named(
      endpoints.create(
        group,
        { url, types: typesOf(events), more, description },
        secret === '' ? undefined : secret,
      ),
    );
    const endpoint = active ? created.endpoint : await this.#set(place, created.endpoint, { paused: true });
    await this.ping(place, endpoint);
    return endpoint;
  }

  list({ repository }: Place): Promise<OwnEndpoint[]> {
    return this.#parts.endpoints.list(String(repository.id));
  }

  async find({ repository }: Place, number: number): Promise<OwnEndpoint> {
    const all = await this.#parts.endpoints.list(String(repository.id));
    const found = all.find(({ id }) => numberOf(id) === number);
    if (found === undefined) throw errors.not_found();
    return found;
  }

  /** A `config` replaces the current one, including its secret. */
  change(place: Place, endpoint: OwnEndpoint, body: HookChange): Promise<OwnEndpoint> {
    const { config, events = eventsOf(endpoint), add_events: added = [], active } = body;
    const removed = new Set(body.remove_events);
    const wanted = [...new Set([...events, ...added])].filter((event) => !removed.has(event));
    if (wanted.length === 0) throw refused('invalid', 'events', 'events must name at least one event');
    return this.#set(place, endpoint, {
      ...(config && this.#configured(endpoint, { content_type: 'form', secret: '', ...config })),
      types: typesOf(wanted),
      ...(active !== undefined && { paused: !active }),
    });
  }

  /** Missing members stay. */
  changeConfig(place: Place, endpoint: OwnEndpoint, config: ConfigChange): Promise<OwnEndpoint> {
    return this.#set(place, endpoint, this.#configured(endpoint, config));
  }

  async remove({ repository }: Place, { id }: OwnEndpoint): Promise<void> {
    await this.#parts.endpoints.remove(String(repository.id), id);
  }

  /** For a deleted repository. */
  async removeAll(repository: number): Promise<void> {
    const { endpoints } = this.#parts;
    for (const { id } of await endpoints.list(String(repository)))
      await endpoints.remove(String(repository), id);
  }

  ping(place: Place, endpoint: OwnEndpoint): Promise<void> {
    const { id, name, private: isPrivate } = place.repository;
    return this.#tell(place, endpoint, PING, {
      zen: ZEN,
      hook_id: numberOf(endpoint.id),
      hook: presentHook(endpoint, undefined, place.url),
      repository: repositoryOf({ id, name }, isPrivate),
    });
  }

  /** Resends the newest push to a hook that wants pushes; without a push, sends nothing. */
  async test(place: Place, endpoint: OwnEndpoint): Promise<void> {
    const wanted = eventsOf(endpoint);
    if (!wanted.includes('push') && !wanted.includes(ALL)) return;
    const base = place.url.slice(0, place.url.lastIndexOf('/repos/'));
    const push = await newestPush(this.#parts.events, place.repository.id, base);
    if (push !== undefined) await this.#tell(place, endpoint, `${TYPE_PREFIX}push`, push);
  }

  async lastDelivery(endpoint: OwnEndpoint): Promise<OwnDelivery | undefined> {
    return (await this.#parts.endpoints.deliveries(endpoint, { limit: 1 }))[0];
  }

  deliveries(endpoint: OwnEndpoint, page: Parameters<OwnEndpoints['deliveries']>[1]): Promise<OwnDelivery[]> {
    return this.#parts.endpoints.deliveries(endpoint, page);
  }

  async delivery(endpoint: OwnEndpoint, number: number): Promise<OwnDelivery & { readonly body: string }> {
    const found = await this.#parts.endpoints.delivery(endpoint, startOf(number));
    if (found === null) throw errors.not_found();
    return found;
  }

  async redeliver(endpoint: OwnEndpoint, number: number): Promise<void> {
    const { id } = await this.delivery(endpoint, number);
    await named(this.#parts.endpoints.redeliver(endpoint, id));
  }

  #configured(endpoint: OwnEndpoint, config: Partial<NewConfig>) {
    const before = endpoint.more as HookMore;
    const { url, content_type: contentType = before.contentType, secret = MASKED } = config;
    const isKept = secret === MASKED;
    const more: HookMore = { ...before, contentType, signed: isKept ? before.signed : secret !== '' };
    return {
      more,
      ...(url !== undefined && { url }),
      ...(!isKept && secret !== '' && { secret }),
    };
  }

  async #set(
    { repository }: Place,
    { id, more }: OwnEndpoint,
    fields: Parameters<OwnEndpoints['change']>[2],
  ): Promise<OwnEndpoint> {
    const updated = { ...more, ...fields.more, updated: this.#now() };
    const changed = await named(
      this.#parts.endpoints.change(String(repository.id), id, { ...fields, more: updated }),
    );
    if (changed === null) throw errors.not_found();
    return changed;
  }

  async #tell({ repository }: Place, endpoint: OwnEndpoint, type: string, data: object): Promise<void> {
    const { endpoints, storage } = this.#parts;
    await storage.transaction((tx) =>
      endpoints.tell(tx, endpoint, {
        type,
        data,
        // It waits for no earlier delivery.
        subject: `${repository.name} ${newId()}`,
        group: String(repository.id),
      }),
    );
  }

  #now(): string {
    return seconds(new Date(this.#parts.clock.now()));
  }
}

function typesOf(events: readonly string[]): string[] {
  return events.map((event) => `${TYPE_PREFIX}${event}`);
}

/** Hooks may share an address if no event goes to both. */
function isAlike(
  other: OwnEndpoint,
  url: string,
  contentType: HookMore['contentType'],
  events: readonly string[],
): boolean {
  if (other.url !== url || (other.more as HookMore).contentType !== contentType) return false;
  const told = eventsOf(other);
  return [told, events].some((names) => names.includes(ALL)) || events.some((event) => told.includes(event));
}

function refused(code: 'custom' | 'invalid', field: string | undefined, message: string): Error {
  return validationFailed({ resource: 'Hook', code, message, ...(field !== undefined && { field }) });
}

/** Translates the errors of `changes` to this API. */
async function named<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const { code, message } = error;
    if (code === 'address_refused') throw refused('custom', 'url', message);
    if (code === 'too_many_endpoints' || code === 'delivery_waiting')
      throw refused('custom', undefined, message);
    throw error;
  }
}
