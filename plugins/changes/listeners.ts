/**
 * Who listens to what, in memory, so that unwanted changes cost nothing. Follows the stored endpoints; while it cannot,
 * it says that everything is wanted, and the store is asked.
 */
import { KeptCollection, type Collection, type FollowOptions } from 'plugboard/sdk';
import type { EndpointDocument } from './documents.js';

type Listener = Pick<EndpointDocument, 'types' | 'own'>;

export class Listeners {
  readonly #kept: KeptCollection<readonly Listener[]>;

  constructor(endpoints: Collection<EndpointDocument>) {
    const projection = { types: 1, own: 1 } as const;
    this.#kept = new KeptCollection(endpoints, () =>
      endpoints.find({}, { projection, shared: true }).toArray(),
    );
  }

  /** Whether an endpoint may want a change of the plugin `source`. */
  want(source: string, type: string, group?: string): boolean {
    return this.#kept.current?.some((listener) => isFor(listener, source, type, group)) ?? true;
  }

  /** Follows the endpoints until the signal is aborted. */
  follow(options: FollowOptions): Promise<void> {
    return this.#kept.follow(options);
  }

  /** For callers that have just changed an endpoint and must get what comes next. */
  async refresh(): Promise<void> {
    await this.#kept.refresh();
  }
}

/** Endpoints of a plugin get only its own changes, of their group. */
export function isFor({ types, own }: Listener, source: string, type: string, group = ''): boolean {
  if (own !== undefined && (own.plugin !== source || own.group !== group)) return false;
  return types.some((wanted) => isOf(wanted, type));
}

/** `*` matches all types, and `v2.core.*` all with that prefix. */
function isOf(wanted: string, type: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
}
