/**
 * Who listens to what, in memory, so that changes that nobody wants cost nothing. It follows the endpoints as they are
 * stored; while it cannot, it says that everything is wanted, and the store is asked.
 */
import { setTimeout } from 'node:timers/promises';
import { Semaphore, type Collection } from 'plugboard/sdk';
import type { EndpointDocument } from './documents.js';

type Listener = Pick<EndpointDocument, 'types' | 'own'>;

const REOPEN_AFTER = 1_000;

export class Listeners {
  readonly #endpoints: Collection<EndpointDocument>;
  readonly #turns = new Semaphore(1);
  #known: readonly Listener[] | undefined;

  constructor(endpoints: Collection<EndpointDocument>) {
    this.#endpoints = endpoints;
  }

  /** Whether an endpoint may want a change of the plugin `source`. */
  want(source: string, type: string, group?: string): boolean {
    return this.#known?.some((listener) => isFor(listener, source, type, group)) ?? true;
  }

  /** Follows the endpoints until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const feed = await this.#endpoints.changes({ signal });
        try {
          await this.refresh();
          for await (const _ of feed) await this.refresh();
        } finally {
          await feed.close();
        }
      } catch {
        // The store is away: the next turn tells.
      }
      this.#known = undefined;
      await setTimeout(REOPEN_AFTER, undefined, { signal }).catch(() => {});
    }
  }

  /** Also for whoever has just changed an endpoint, and is to be told of what comes next. */
  refresh(): Promise<void> {
    return this.#turns.run(async () => {
      const projection = { types: 1, own: 1 } as const;
      this.#known = await this.#endpoints.find({}, { projection, shared: true }).toArray();
    });
  }
}

/** Endpoints of a plugin are told of its own changes alone, of their group. */
export function isFor({ types, own }: Listener, source: string, type: string, group = ''): boolean {
  if (own !== undefined && (own.plugin !== source || own.group !== group)) return false;
  return types.some((wanted) => isOf(wanted, type));
}

/** `*` stands for all, and `v2.core.*` for all that begin so. */
function isOf(wanted: string, type: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
}
