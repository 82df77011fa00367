/** Random worlds: a directory and its events, and a naive model of who sees what, which reads everything. */
import * as fc from 'fast-check';
import type { FeedName } from '../../../../plugins/events/feeds/visibility.js';

export interface World {
  readonly repositories: readonly WorldRepository[];
  readonly members: readonly (readonly [user: string, organization: string])[];
  readonly collaborators: readonly (readonly [user: string, repository: number])[];
  readonly follows: readonly (readonly [user: string, follows: string])[];
  readonly watches: readonly (readonly [user: string, repository: number])[];
  readonly events: readonly WorldEvent[];
  /** Turned private after the events came in. */
  readonly hiddenLater: readonly number[];
}

interface WorldRepository {
  readonly owner: string;
  readonly private: boolean;
  /** The place of another one, when that comes before it. */
  readonly parent: number;
}

interface WorldEvent {
  readonly actor: string;
  readonly repository: number;
  readonly public: boolean;
  readonly second: number;
}

export const USERS = ['ann', 'bo', 'cy', 'di'];
export const ORGANIZATIONS = ['acme', 'umbra'];
const REPOSITORIES = 5;

export const repositoryName = ({ repositories }: World, at: number): string =>
  `${repositories[at]?.owner ?? ''}/r${at}`;

const user = fc.constantFrom(...USERS);
const organization = fc.constantFrom(...ORGANIZATIONS);
const repository = fc.nat({ max: REPOSITORIES - 1 });

export const world: fc.Arbitrary<World> = fc.record({
  repositories: fc.array(
    fc.record({
      owner: fc.oneof(user, organization),
      private: fc.boolean(),
      parent: fc.integer({ min: -3, max: REPOSITORIES - 1 }),
    }),
    { minLength: REPOSITORIES, maxLength: REPOSITORIES },
  ),
  members: fc.array(fc.tuple(user, organization), { maxLength: 4 }),
  collaborators: fc.array(fc.tuple(user, repository), { maxLength: 4 }),
  follows: fc.array(fc.tuple(user, user), { maxLength: 5 }),
  watches: fc.array(fc.tuple(user, repository), { maxLength: 5 }),
  events: fc.array(
    fc.record({ actor: user, repository, public: fc.boolean(), second: fc.nat({ max: 20 }) }),
    { maxLength: 14 },
  ),
  hiddenLater: fc.uniqueArray(repository, { maxLength: 2 }),
});

export interface Question {
  readonly feed: FeedName;
  readonly user: string;
  readonly repository: number;
  readonly organization: string;
  /** Undefined: anybody. */
  readonly viewer: string | undefined;
}

export const FEEDS: readonly FeedName[] = [
  'public',
  'repository',
  'network',
  'organization',
  'received',
  'received-public',
  'performed',
  'performed-public',
  'dashboard',
];

export const question: fc.Arbitrary<Question> = fc.record({
  feed: fc.constantFrom(...FEEDS),
  user,
  repository,
  organization,
  viewer: fc.option(user, { nil: undefined }),
});

/** The places of the events in the feed, newest first; null for a 404. `hidden`: what `hiddenLater` says holds. */
export function expected(of: World, asked: Question, hidden: boolean): number[] | null {
  const isPrivate = (at: number): boolean =>
    of.repositories[at]?.private === true || (hidden && of.hiddenLater.includes(at));
  const has = <T>(list: readonly (readonly [string, T])[], who: string, what: T): boolean =>
    list.some(([one, other]) => one === who && other === what);
  const reads = (who: string | undefined, at: number): boolean => {
    const owner = of.repositories[at]?.owner ?? '';
    return (
      who !== undefined && (owner === who || has(of.collaborators, who, at) || has(of.members, who, owner))
    );
  };
  const isPublic = (event: WorldEvent): boolean => event.public && !isPrivate(event.repository);
  const organizationOf = (event: WorldEvent): string | undefined => {
    const owner = of.repositories[event.repository]?.owner ?? '';
    return ORGANIZATIONS.includes(owner) ? owner : undefined;
  };
  const newest = (keep: (event: WorldEvent) => boolean): number[] =>
    of.events
      .map((event, at) => ({ event, at }))
      .filter(({ event }) => keep(event))
      .toSorted((a, b) => b.event.second - a.event.second || b.at - a.at)
      .map(({ at }) => at);
  const received = (event: WorldEvent): boolean =>
    has(of.follows, asked.user, event.actor) || has(of.watches, asked.user, event.repository);
  const isSelf = asked.viewer === asked.user;

  switch (asked.feed) {
    case 'public':
      return newest(isPublic);
    case 'repository':
    case 'network': {
      if (isPrivate(asked.repository) && !reads(asked.viewer, asked.repository)) return null;
      if (asked.feed === 'network') {
        const network = rootOf(of, asked.repository);
        return newest((event) => isPublic(event) && rootOf(of, event.repository) === network);
      }
      const all = reads(asked.viewer, asked.repository);
      return newest((event) => event.repository === asked.repository && (all || isPublic(event)));
    }
    case 'organization':
      return newest((event) => isPublic(event) && organizationOf(event) === asked.organization);
    case 'received':
      return newest(
        (event) => received(event) && (isPublic(event) || (isSelf && reads(asked.user, event.repository))),
      );
    case 'received-public':
      return newest((event) => received(event) && isPublic(event));
    case 'performed':
      return newest((event) => event.actor === asked.user && (isSelf || isPublic(event)));
    case 'performed-public':
      return newest((event) => event.actor === asked.user && isPublic(event));
    case 'dashboard':
      if (!isSelf || !has(of.members, asked.user, asked.organization)) return null;
      return newest(
        (event) =>
          organizationOf(event) === asked.organization &&
          (isPublic(event) || reads(asked.user, event.repository)),
      );
  }
}

export function parentOf({ repositories }: World, at: number): number | undefined {
  const parent = repositories[at]?.parent ?? -1;
  return parent >= 0 && parent < at ? parent : undefined;
}

function rootOf(of: World, at: number): number {
  const parent = parentOf(of, at);
  return parent === undefined ? at : rootOf(of, parent);
}
