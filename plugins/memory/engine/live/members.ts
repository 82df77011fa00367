/** Inverted index of the metadata members of live entries: filters need not read every entry of an owner. */

/** Limits on the members indexed per entry and on their characters; beyond them the storage is queried. */
const MOST_MEMBERS = 32;
const LONGEST = 200;

/** A member and the possible stored forms of its value. */
export type Condition = readonly [name: string, values: readonly string[]];

export interface Having {
  /** Entries that match; valid until the next change. */
  readonly ids: ReadonlySet<string>;
  /** Entries that may match. */
  readonly doubtful: ReadonlySet<string>;
}

interface Pool {
  /** Entries by member, and entries with unindexed members. */
  readonly ids: Map<string, Set<string>>;
  readonly doubtful: Set<string>;
}

const NONE: ReadonlySet<string> = new Set();

export class Members {
  readonly #pools = new Map<string | null, Pool>();
  readonly #kept = new Map<string, { readonly pool: Pool; readonly members: readonly string[] }>();

  /** Adds an entry or replaces the one with this id. */
  set(id: string, owner: string | null, metadata: Readonly<Record<string, string>>): void {
    this.delete(id);
    const members = Object.entries(metadata).map(([name, value]) => memberOf(name, value));
    if (members.length === 0) return;
    const pool = this.#pools.get(owner) ?? {
      ids: new Map<string, Set<string>>(),
      doubtful: new Set<string>(),
    };
    this.#pools.set(owner, pool);
    const isKept = members.length <= MOST_MEMBERS && members.every(({ length }) => length <= LONGEST);
    if (!isKept) pool.doubtful.add(id);
    else for (const member of members) put(pool.ids, member, id);
    this.#kept.set(id, { pool, members: isKept ? members : [] });
  }

  delete(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#kept.delete(id);
    const { pool, members } = kept;
    pool.doubtful.delete(id);
    for (const member of members) {
      const ids = pool.ids.get(member);
      ids?.delete(id);
      if (ids?.size === 0) pool.ids.delete(member);
    }
  }

  /** The owner's entries with all of the members; undefined: of all owners. */
  having(owner: string | null | undefined, conditions: readonly Condition[]): Having {
    if (owner === undefined) {
      const each = [...this.#pools.keys()].map((one) => this.having(one, conditions));
      return {
        ids: new Set(each.flatMap(({ ids }) => [...ids])),
        doubtful: new Set(each.flatMap(({ doubtful }) => [...doubtful])),
      };
    }
    const pool = this.#pools.get(owner);
    if (pool === undefined) return { ids: NONE, doubtful: NONE };
    const each = conditions.map(([name, values]) => {
      const found = values.map((value) => pool.ids.get(memberOf(name, value)) ?? NONE);
      const [first = NONE, second = NONE] = found.filter(({ size }) => size > 0);
      return second.size === 0 ? first : new Set([...first, ...second]);
    });
    const [fewest = NONE, ...others] = each.sort((a, b) => a.size - b.size);
    const ids =
      others.length === 0
        ? fewest
        : new Set([...fewest].filter((id) => others.every((other) => other.has(id))));
    return { ids, doubtful: pool.doubtful };
  }
}

/** The separator is in no name: see metadata.ts. */
function memberOf(name: string, value: string): string {
  return `${name}.${value}`;
}

function put(map: Map<string, Set<string>>, member: string, id: string): void {
  const ids = map.get(member);
  if (ids === undefined) map.set(member, new Set([id]));
  else ids.add(id);
}
