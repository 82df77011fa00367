/**
 * Who may see an event: pure functions over a table, one row for each feed.
 *
 * An event is public when it was marked so and its repository, where the directory knows it, is public now. All
 * other events are private.
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
 * Which private events a feed shows: `none`; `readable`, those of repositories that the caller may read; `own`, all
 * of them. The last two hold for the feed's own user alone, `repository` aside.
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

/** `isSelf`: the caller is the user that the feed is about. A repository's feed is about no user. */
export function privatePart(feed: FeedName, isSelf: boolean): PrivatePart {
  return feed === 'repository' || isSelf ? PRIVATE_PART[feed] : 'none';
}

export interface VisibleEvent {
  readonly public: boolean;
}

/** What the directory says of the event's repository; undefined where it does not know it. */
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
