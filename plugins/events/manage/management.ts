/** The management operations: publish, change the directory, read it. */
import type { Collection, Directory, Document, Jobs } from 'plugboard/sdk';
import { validationFailed } from '../errors.js';
import { issueEventDocument, issueEventText, readIssueRecord } from '../store/issue-record.js';
import { RecordFault } from '../store/record.js';
import type { EventWriter } from '../store/writer.js';
import type { DirectoryBatch } from './batch.js';
import { changeDirectory, type ChangeParts } from './change-directory.js';
import type { Publisher } from './publish.js';
import type { Hooks } from '../webhooks/hooks.js';
import { withdrawLater } from './withdraw.js';

const LISTED = 100;

export interface ManagementParts extends ChangeParts {
  readonly publisher: Publisher;
  readonly writer: EventWriter;
  readonly jobs: Jobs;
  readonly now: () => number;
  readonly hooks: Pick<Hooks, 'removeAll'> | undefined;
}

export type DirectoryPartName = 'accounts' | 'repositories' | 'ties';

export class Management {
  readonly publisher: Publisher;
  readonly #parts: ManagementParts;

  constructor(parts: ManagementParts) {
    this.publisher = parts.publisher;
    this.#parts = parts;
  }

  async changeDirectory(batch: DirectoryBatch): Promise<{ put: number; removed: number }> {
    const { put, removed, withdrawn, gone } = await changeDirectory(this.#parts, batch);
    for (const repository of gone) await this.#parts.hooks?.removeAll(repository);
    await withdrawLater(this.#parts.jobs, withdrawn);
    return { put, removed };
  }

  /** In the order of ids, accounts in that of logins; `next` is where the next page begins. */
  async listDirectory(
    part: DirectoryPartName,
    after: string,
  ): Promise<{ items: object[]; next: string | null }> {
    const { directory } = this.#parts;
    if (part === 'accounts') return listAccounts(directory.people, after);
    const collection = directory[part] as Collection<Document>;
    const found = await collection
      .find(
        { _id: { $gt: after } },
        { sort: { _id: 1 }, limit: LISTED + 1, projection: { key: 0, activeAt: 0 } as never },
      )
      .toArray();
    const items = found.slice(0, LISTED);
    return {
      items: items.map(({ _id, ...item }) => ({ ...item, key: _id })),
      next: found.length > LISTED ? (items.at(-1)?._id ?? null) : null,
    };
  }

  async publishIssueEvents(repository: string, events: readonly object[]): Promise<{ stored: number }> {
    const [owner = '', name = ''] = repository.split('/');
    const known = await this.#parts.directory.repository(owner, name);
    if (known === null) {
      throw validationFailed({
        resource: 'IssueEvent',
        field: 'repository',
        code: 'missing',
        message: `the directory knows no repository "${repository}"`,
      });
    }
    const documents = events.map((event, at) => {
      const record = readAt(event, at, this.#parts.now());
      return issueEventDocument(record, known.id, issueEventText(event, known.name, record.id));
    });
    const { stored } = await this.#parts.writer.writeIssueEvents(documents);
    return { stored };
  }
}

async function listAccounts(
  people: Directory,
  after: string,
): Promise<{ items: object[]; next: string | null }> {
  const found = await people.list({ after, limit: LISTED + 1 });
  const items = found.slice(0, LISTED);
  return {
    items: items.map(({ id, login, type, imageId, avatarUrl, external }) => ({
      id,
      login,
      type,
      imageId,
      avatarUrl,
      external,
      key: String(id),
    })),
    next: found.length > LISTED ? (items.at(-1)?.login.toLowerCase() ?? null) : null,
  };
}

function readAt(event: object, at: number, now: number): ReturnType<typeof readIssueRecord> {
  try {
    return readIssueRecord(event, now);
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    const { field, code, message } = error;
    throw validationFailed({ resource: 'IssueEvent', field: `events.${at}.${field}`, code, message });
  }
}
