/** The event feed port: other plugins publish what happened, and the feeds show it to those who may see it. */

export interface EventFeed {
  /**
   * Stores events, all or none; resolves when the next poll of any instance sees them. An event with a known `id` is
   * left unchanged, so a publisher may retry. At most 1,000 at a time. Throws a `ServiceError` (`validation_failed`)
   * that names the event and the field.
   */
  publish(events: readonly NewEvent[]): Promise<PublishedEvents>;
}

export interface NewEvent {
  /** Up to 100 visible ASCII characters. Default: a new one that sorts after earlier ones. */
  readonly id?: string;
  /** `PushEvent`. */
  readonly type: string;
  /** Who did it. Without `id` the directory must know the login. */
  readonly actor: EventAccount;
  /** `name` is `owner/name`. Without `id` the directory must know it. */
  readonly repo: { readonly id?: number; readonly name: string; readonly url?: string };
  /** Default: the owner of the repository if the directory has it as an organization. */
  readonly org?: EventAccount;
  /** Default: `{}`. */
  readonly payload?: object;
  /** Default: whether the repository is public; a repository that the directory does not know is private. */
  readonly public?: boolean;
  /** ISO 8601. Default: now. */
  readonly created_at?: string;
}

interface EventAccount {
  readonly id?: number;
  readonly login: string;
  readonly image_id?: string;
  readonly avatar_url?: string;
  readonly url?: string;
}

export interface PublishedEvents {
  /** The ids in the order of the events. */
  readonly ids: readonly string[];
  /** How many were new. */
  readonly stored: number;
  /** How many have a known id: left unchanged. */
  readonly known: number;
  /** How many are older than the retention: not stored. */
  readonly expired: number;
}
