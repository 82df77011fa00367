/** Callers nearest to a limit, for the management: the fullest current windows, with their subjects. */
import type { Auth, Directory } from 'plugboard/sdk';
import type { Leases } from './leases.js';
import type { CategoryLimits, Limits } from './limits.js';
import type { CategoryName, Standing, StandingsAnswer, StandingsQuery } from './schema.js';
import { AT, type Subject } from './subject.js';
import type { RunningWindow, Windows } from './windows.js';

export interface StandingsParts {
  readonly categories: Readonly<Record<CategoryName, CategoryLimits>>;
  readonly windows: Windows;
  readonly leases: Leases;
  readonly auth: Auth;
  readonly directory: Directory;
}

/** In a window's storage id, see `windowId` in callers.ts. */
const SEPARATOR = ' ';
const UNITS = { requests: '', tokens: '.tokens' } as const;
type Unit = keyof typeof UNITS;

export class Standings {
  readonly #parts: StandingsParts;

  constructor(parts: StandingsParts) {
    this.#parts = parts;
  }

  /** Those that have used most of their limit first. */
  async read({ category, limit }: StandingsQuery): Promise<StandingsAnswer> {
    const all = Object.keys(this.#parts.categories) as CategoryName[];
    const names = category === undefined ? all : [category];
    const found = await Promise.all(
      names.flatMap((name) => [this.#of(name, 'requests', limit), this.#of(name, 'tokens', limit)]),
    );
    const callers = found.flat().toSorted((one, other) => share(other) - share(one));
    return { categories: all.map((name) => this.#categoryOf(name)), callers: callers.slice(0, limit) };
  }

  async #of(name: CategoryName, unit: Unit, most: number): Promise<Standing[]> {
    const prefix = `${name}${UNITS[unit]}${SEPARATOR}`;
    const windows = await this.#parts.windows.fullest(prefix, most);
    const standings = await Promise.all(
      windows.map(async (window) =>
        this.#standing(name, unit, {
          window,
          subject: await this.#subjectOf(window.id.slice(prefix.length)),
        }),
      ),
    );
    return standings.filter((standing) => standing !== undefined);
  }

  /** Undefined: the config no longer has such a limit. */
  #standing(
    category: CategoryName,
    unit: Unit,
    { window, subject }: { readonly window: RunningWindow; readonly subject: Subject },
  ): Standing | undefined {
    const limits = this.#parts.categories[category].of(subject);
    const limit = limits[unit];
    if (limit === null) return undefined;
    const used = Math.min(limit, window.used - this.#parts.leases.unused(window.id, window.reset));
    return {
      category,
      unit,
      kind: subject.kind,
      id: subject.id,
      label: subject.label,
      used,
      limit,
      remaining: limit - used,
      window: limits.window / 1000,
      reset: new Date(window.reset).toISOString(),
    };
  }

  /** The subject that `subjectOf` made when it was counted, with its current name. */
  async #subjectOf(id: string): Promise<Subject> {
    const at = id.indexOf(':');
    const kind = id.slice(0, at);
    const rest = id.slice(at + 1);
    if (kind === 'key') {
      const [keyId = '', address] = rest.split(AT);
      const key = await this.#parts.auth.keys.byId(keyId);
      const label = [key?.name ?? keyId, ...(address === undefined ? [] : [address])].join(AT);
      return { id, kind, label, names: key === null ? [keyId] : [keyId, key.name] };
    }
    if (kind === 'address') return { id, kind, label: rest, names: [] };
    if (kind === 'app') return { id, kind, label: rest, names: [] };
    const account = kind === 'user' ? await this.#parts.directory.byId(Number(rest)) : null;
    return { id, kind: 'user', label: account?.login ?? id, names: [] };
  }

  #categoryOf(name: CategoryName): StandingsAnswer['categories'][number] {
    const limitsOf = (kind: Subject['kind']): Limits =>
      this.#parts.categories[name].of({ id: '', kind, label: '', names: [] });
    const key = limitsOf('key');
    return {
      name,
      window: key.window / 1000,
      user: limitsOf('user').requests,
      app: limitsOf('app').requests,
      key: key.requests,
      address: limitsOf('address').requests,
      tokens: key.tokens,
    };
  }
}

function share({ used, limit }: Standing): number {
  return limit === 0 ? 1 : used / limit;
}
