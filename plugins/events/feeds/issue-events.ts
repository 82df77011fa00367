/** The tenth feed: issue events of one repository, in their own record format. */
import type { Collection, Filter } from 'plugboard/sdk';
import type { IssueEventDocument } from '../store/documents.js';
import type { EventFeeds } from './events.js';
import type { Dated } from './merge.js';

export class IssueEventFeed {
  readonly records: Collection<IssueEventDocument>;

  constructor(records: Collection<IssueEventDocument>) {
    this.records = records;
  }

  /** Whoever may read the repository sees all of its issue events. */
  async newest(
    feeds: EventFeeds,
    subject: { readonly id?: number; readonly owner?: string; readonly repo?: string },
    viewer: string | undefined,
    limit: number,
    after?: Dated,
  ): Promise<Pick<IssueEventDocument, '_id' | 'at'>[]> {
    const { id } = await feeds.repositoryFor({ ...subject, feed: 'repository' }, viewer);
    const behind: Filter<IssueEventDocument> =
      after === undefined
        ? {}
        : { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }] };
    return this.records
      .find(
        { repo: id, ...behind },
        { sort: { at: -1, _id: -1 }, limit, projection: { at: 1 }, shared: true },
      )
      .toArray();
  }
}
