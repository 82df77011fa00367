/** What the tests of the memory engines share: attributes by a few words, a clock that can be moved, fast-check arbitraries. */
import fc from 'fast-check';
import type { EntryAttributes, EntryFilter } from '../../../plugins/memory/engine/base/attributes.js';
import { ENTRY_TYPES } from '../../../plugins/memory/engine/base/schema.js';

export class TestClock {
  time = 1_000_000;

  now(): number {
    return this.time;
  }
}

export function attributes(given: Partial<EntryAttributes> = {}): EntryAttributes {
  return {
    owner: null,
    type: 'factual',
    session: null,
    user: null,
    createdAt: 1,
    expiresAt: null,
    validFrom: -Infinity,
    validUntil: Infinity,
    archived: false,
    ...given,
  };
}

/** Around the TestClock's first instant, so that about half of the entries that expire have expired. */
export const anyAttributes: fc.Arbitrary<EntryAttributes> = fc.record({
  owner: fc.constantFrom(null, 'a', 'b', 'c'),
  type: fc.constantFrom(...ENTRY_TYPES),
  session: fc.constantFrom(null, 's1', 's2'),
  user: fc.constantFrom(null, 'u1', 'u2'),
  createdAt: fc.integer({ min: 0, max: 5 }),
  expiresAt: fc.option(fc.integer({ min: 999_998, max: 1_000_002 })),
  validFrom: fc.constantFrom(-Infinity, 0, 999_999, 1_000_001),
  validUntil: fc.constantFrom(Infinity, 1_000_000, 1_000_002),
  archived: fc.boolean(),
});

export const anyFilter: fc.Arbitrary<EntryFilter> = fc.record(
  {
    type: fc.constantFrom(...ENTRY_TYPES),
    session: fc.constantFrom(null, 's1', 's2'),
    user: fc.constantFrom(null, 'u1', 'u2'),
    asOf: fc.constantFrom(2, 999_999, 1_000_001),
  },
  { requiredKeys: [] },
);

/** The rule that both indexes apply inside their scans, said plainly. */
export function visible(
  entry: EntryAttributes,
  owner: string | null,
  filter: EntryFilter,
  now: number,
): boolean {
  return (
    entry.owner === owner &&
    !entry.archived &&
    (entry.expiresAt === null || now < entry.expiresAt) &&
    entry.validFrom <= (filter.asOf ?? now) &&
    (filter.asOf ?? now) < entry.validUntil &&
    (filter.type === undefined || filter.type === entry.type) &&
    (filter.session === undefined || filter.session === entry.session) &&
    (filter.user === undefined || entry.user === null || filter.user === entry.user)
  );
}

/** Numbers in -1..1 from a seed (mulberry32), so that a failure repeats. */
export function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
