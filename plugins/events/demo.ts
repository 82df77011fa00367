/** The initial directory and events of a config. Times are given in minutes before the start. */
import { readFile } from 'node:fs/promises';
import { Value, UserError, type Clock, type NewEvent } from 'plugboard/sdk';

import { DirectoryBatch, type PutEntries } from './manage/batch.js';
import type { Management } from './manage/management.js';

interface DemoFile {
  readonly directory: PutEntries;
  readonly events: readonly (Omit<NewEvent, 'created_at'> & { readonly minutesAgo: number })[];
  readonly issueEvents: readonly {
    readonly repository: string;
    readonly minutesAgo: number;
    readonly event: object;
  }[];
}

/** Does nothing if there is a repository already. */
export async function loadDemo(path: string, management: Management, clock: Clock): Promise<void> {
  const { items } = await management.listDirectory('repositories', '');
  if (items.length > 0) return;
  const { directory, events, issueEvents } = await read(path);
  const time = (minutesAgo: number): string =>
    `${new Date(clock.now() - minutesAgo * 60_000).toISOString().slice(0, 19)}Z`;
  const batch = Value.Default(DirectoryBatch, { put: directory });
  if (!Value.Check(DirectoryBatch, batch))
    throw new UserError(`events: the directory of ${path} is not valid`);
  await management.changeDirectory(batch);
  await management.publisher.publish(
    events.map(({ minutesAgo, ...event }) => ({ ...event, created_at: time(minutesAgo) })),
  );
  for (const { repository, minutesAgo, event } of issueEvents)
    await management.publishIssueEvents(repository, [{ ...event, created_at: time(minutesAgo) }]);
}

async function read(path: string): Promise<DemoFile> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile;
  } catch (error) {
    throw new UserError(`events: the demo file ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
