/** The parts of the service, put together. */
import type { Changes, Clock, Directory as People, Jobs, PeopleData, JobRun, Storage } from 'plugboard/sdk';
import { importArchive, type ImportInput, type ImportResult } from './archive/import.js';
import { eventSink, issueSink } from './archive/sinks.js';
import { directoryIn, type Directory } from './directory/directory.js';
import { DirectoryVersion } from './directory/version.js';
import { EventFeeds } from './feeds/events.js';
import { IssueEventFeed } from './feeds/issue-events.js';
import { Pages } from './feeds/pages.js';
import { LiveFeeds, type LiveFeedParts } from './live/live-feeds.js';
import { Management } from './manage/management.js';
import { Publisher } from './manage/publish.js';
import { forgetAccount } from './manage/forget-account.js';
import { peopleData } from './manage/people.js';
import { withdraw } from './manage/withdraw.js';
import { moveAccounts } from './move/accounts.js';
import {
  eventCollection,
  issueEventCollection,
  type EventDocument,
  type IssueEventDocument,
} from './store/documents.js';
import { EventWriter } from './store/writer.js';
import { githubWebhooks } from './webhooks/form.js';
import { Hooks } from './webhooks/hooks.js';

export interface ServiceOptions {
  readonly retentionDays: number;
  readonly maxFollowed: number;
  readonly scanLimit: number;
  readonly cacheMegabytes: number;
}

export interface Surroundings {
  readonly storage: Storage;
  readonly directory: People;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly changes?: Changes | undefined;
}

export interface EventService {
  readonly pages: Pages;
  live(open: Pick<LiveFeedParts, 'most' | 'mostOfCaller' | 'log' | 'signal'>): LiveFeeds;
  readonly management: Management;
  readonly directory: Directory;
  /** Missing without the plugin `changes`. */
  readonly hooks: Hooks | undefined;
  /** Call it before the first request. */
  prepare(progress?: () => void): Promise<void>;
  readonly people: PeopleData;
  runImport(run: JobRun<ImportInput>): Promise<ImportResult>;
  runWithdrawal(run: JobRun<{ repository: number }>): Promise<number>;
}

const DAY = 24 * 60 * 60 * 1_000;

export function createService(
  { storage, directory: people, clock, jobs, changes }: Surroundings,
  options: ServiceOptions,
): EventService {
  const events = storage.collection<EventDocument>(eventCollection(options.retentionDays));
  const issueEvents = storage.collection<IssueEventDocument>(issueEventCollection(options.retentionDays));
  const directory = directoryIn(storage, people);
  const version = new DirectoryVersion(storage);
  people.onRemove((id, tx) => forgetAccount({ directory, version }, id, tx));
  const retention = options.retentionDays * DAY;
  const stored = { storage, events, issueEvents, directory, version, clock, changes, retention };
  const writer = new EventWriter(stored);
  const endpoints = changes?.own(githubWebhooks);
  const hooks = endpoints && new Hooks({ endpoints, events, storage, clock });
  const cacheBytes = options.cacheMegabytes * 1024 * 1024;
  const pages = new Pages({
    ...stored,
    issues: new IssueEventFeed(issueEvents),
    feeds: (view) => new EventFeeds(events, view, options.scanLimit),
    cacheBytes,
  });
  return {
    directory,
    hooks,
    pages,
    live: (open) => new LiveFeeds({ pages, events, issueEvents, ...open }),
    management: new Management({
      ...stored,
      maxFollowed: options.maxFollowed,
      publisher: new Publisher(directory, writer, clock, changes),
      writer,
      jobs,
      now: () => clock.now(),
      hooks,
    }),
    async prepare(progress = () => {}) {
      await version.prepare();
      const { repositories, ties, activity } = directory;
      await moveAccounts({ storage, people, repositories, ties, activity, events, version }, progress);
    },
    people: peopleData(stored),
    runImport: (run) =>
      run.input.records === 'events'
        ? importArchive(eventSink(writer, clock), run)
        : importArchive(issueSink(writer, directory, clock), run),
    runWithdrawal: (run) => withdraw(stored, run),
  };
}
