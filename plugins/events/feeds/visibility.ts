/**
 * Who may see an event: pure functions over a table, one row per feed.
 *
 * An event is public if it was marked so and its repository, if the directory knows it, is public now. All other events
 * are private.
 */

export type FeedName =
  | 'public'
  | 'repository'
  | 'network'
  | 'organization'
  | 'received'
  | 'received-public'
  | 'performed'
  | 'performed-public'
  | 'dashboard';

/**
 * Which private events a feed shows: `none`; `readable`, those in repositories that the caller may read; `own`, all of
 * them. The last two apply only to the feed's own user, except for `repository`.
 */
export type PrivatePart = 'none' | 'readable' | 'own';

const PRIVATE_PART: Readonly<Record<FeedName, PrivatePart>> = {
  public: 'none',
  repository: 'readable',
  network: 'none',
  organization: 'none',
  received: 'readable',
  'received-public': 'none',
  performed: 'own',
  'performed-public': 'none',
  dashboard: 'readable',
};

/** `isSelf`: the caller is the feed's user. A repository's feed has no user. */
export function privatePart(feed: FeedName, isSelf: boolean): PrivatePart {
  return feed === 'repository' || isSelf ? PRIVATE_PART[feed] : 'none';
}

export interface VisibleEvent {
  readonly public: boolean;
}

/** The directory's entry for the event's repository; undefined if it has none. */
export interface RepositoryAccess {
  readonly private: boolean;
  /** The caller owns it, is its collaborator, or is a member of the organization that owns it. */
  readonly readable: boolean;
}

export function maySee(
  event: VisibleEvent,
  repository: RepositoryAccess | undefined,
  part: PrivatePart,
): boolean {
  if (isPublic(event, repository)) return true;
  return part === 'own' || (part === 'readable' && repository?.readable === true);
}

export function isPublic(
  event: VisibleEvent,
  repository: { readonly private: boolean } | undefined,
): boolean {
  return event.public && repository?.private !== true;
}
