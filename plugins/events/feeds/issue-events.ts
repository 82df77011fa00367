/** The tenth feed: issue events of one repository, in a record format of their own. */
import type { Collection } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { IssueEventDocument } from '../store/documents.js';
import type { EventFeeds } from './events.js';

export class IssueEventFeed {
  readonly records: Collection<IssueEventDocument>;
  readonly #feeds: EventFeeds;
  readonly #directory: Directory;

  constructor(records: Collection<IssueEventDocument>, feeds: EventFeeds, directory: Directory) {
    this.records = records;
    this.#feeds = feeds;
    this.#directory = directory;
  }

  /** Whoever may read the repository sees all of its issue events. */
  async newest(
    subject: { readonly id?: number; readonly owner?: string; readonly repo?: string },
    viewerLogin: string | undefined,
    limit: number,
  ): Promise<Pick<IssueEventDocument, '_id' | 'at'>[]> {
    const viewer = viewerLogin === undefined ? null : await this.#directory.user(viewerLogin);
    const { id } = await this.#feeds.repository({ ...subject, feed: 'repository' }, viewer);
    return this.records
      .find({ repo: id }, { sort: { at: -1, _id: -1 }, limit, projection: { at: 1 }, shared: true })
      .toArray();
  }
}
