/** Builds random worlds in a store and holds what the feeds show against the model. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isServiceError, type Collection, type Document, type Jobs, type JobRun } from 'plugboard/sdk';
import { createService, type EventService } from '../../../../plugins/events/service.js';
import { directoryOn } from '../../../support/storage/directory.js';
import { openStore } from '../../../support/storage/open-store.js';
import { silentLog } from '../../../support/silent-log.js';
import type { StoreConfig } from '../../../support/stores.js';
import {
  expected,
  ORGANIZATIONS,
  parentOf,
  question,
  repositoryName,
  USERS,
  world,
  type Question,
  type World,
} from './worlds.js';

const COLLECTIONS = ['activity', 'repositories', 'ties', 'events'];
const QUESTIONS = 12;

export async function checkWorlds(store: StoreConfig, worlds: number, seed?: number): Promise<void> {
  const opened = await openStore(store);
  try {
    const { storage } = opened;
    const service = createService(
      { storage, directory: directoryOn(opened.storageOf('directory')), clock: Date, jobs: noJobs },
      { retentionDays: 90, maxFollowed: 100, scanLimit: 10_000, cacheMegabytes: 8 },
    );
    await opened.start();
    await service.prepare();
    const collections = COLLECTIONS.map((name) => storage.collection({ name }));
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(question, { minLength: QUESTIONS, maxLength: QUESTIONS }),
        async (one, questions) => {
          await build(service, collections, one);
          for (const asked of questions) await compare(service, one, asked, false);
          await hide(service, one);
          for (const asked of questions) await compare(service, one, asked, true);
          for (const at of one.hiddenLater) await service.runWithdrawal(runOf(200 + at));
          for (const asked of questions) await compare(service, one, asked, true);
        },
      ),
      { numRuns: worlds, ...(seed !== undefined && { seed }) },
    );
  } finally {
    await opened.close();
  }
}

/** Withdrawals run where the test says so. */
const noJobs: Jobs = {
  handle: () => {},
  add: () => Promise.resolve({} as never),
  cancel: () => Promise.resolve(false),
  get: () => Promise.resolve(null),
  list: () => Promise.resolve([]),
};

function runOf(repository: number): JobRun<{ repository: number }> {
  return {
    id: 'run',
    input: { repository },
    attempt: 1,
    checkpoint: undefined,
    signal: new AbortController().signal,
    log: silentLog,
    progress: () => {},
    save: () => Promise.resolve(),
  };
}

async function build(
  { management }: EventService,
  collections: readonly Collection<Document>[],
  of: World,
): Promise<void> {
  for (const collection of collections) await collection.deleteMany({});
  const account = (login: string, at: number, from: number) => ({ id: from + at, login, image_id: '' });
  await management.changeDirectory({
    put: {
      users: USERS.map((login, at) => account(login, at, 1)),
      organizations: ORGANIZATIONS.map((login, at) => account(login, at, 100)),
      repositories: of.repositories.map((one, at) => {
        const parent = parentOf(of, at);
        return {
          id: 200 + at,
          name: repositoryName(of, at),
          private: one.private,
          ...(parent !== undefined && { parent: repositoryName(of, parent) }),
        };
      }),
      members: of.members.map(([user, organization]) => ({ user, organization })),
      collaborators: of.collaborators.map(([user, at]) => ({ user, repository: repositoryName(of, at) })),
      follows: of.follows.map(([user, follows]) => ({ user, follows })),
      watches: of.watches.map(([user, at]) => ({ user, repository: repositoryName(of, at) })),
    },
  });
  const begin = Date.now() - 3_600_000;
  await management.publisher.publish(
    of.events.map(({ actor, repository, public: isPublic, second }, at) => ({
      id: idOf(at),
      type: 'PushEvent',
      actor: { login: actor },
      repo: { name: repositoryName(of, repository) },
      public: isPublic,
      created_at: new Date(begin + second * 1_000).toISOString(),
    })),
  );
}

async function hide({ management }: EventService, of: World): Promise<void> {
  await management.changeDirectory({
    put: {
      repositories: of.hiddenLater.map((at) => {
        const parent = parentOf(of, at);
        return {
          id: 200 + at,
          name: repositoryName(of, at),
          private: true,
          ...(parent !== undefined && { parent: repositoryName(of, parent) }),
        };
      }),
    },
  });
}

async function compare({ pages }: EventService, of: World, asked: Question, hidden: boolean): Promise<void> {
  const [owner = '', repo = ''] = repositoryName(of, asked.repository).split('/');
  const { feed, user, organization: org, viewer } = asked;
  const path = `/${[feed, owner, repo, user, org].join('/')}`;
  const wanted = { subject: { feed, owner, repo, user, org }, page: 1, viewer, base: 'http://h', path };
  const shown = await idsOn(pages, wanted).catch((error: unknown) => {
    if (isServiceError(error) && error.status === 404) return null;
    throw error;
  });
  assert.deepEqual(shown, expected(of, asked, hidden)?.map(idOf) ?? null, JSON.stringify(asked));
}

async function idsOn(
  pages: EventService['pages'],
  wanted: Parameters<typeof pages.page>[0],
): Promise<string[]> {
  const { body } = await pages.page(wanted, await pages.begin(), Date.now());
  return (JSON.parse(body) as { id: string }[]).map(({ id }) => id);
}

function idOf(at: number): string {
  return `e${String(at).padStart(2, '0')}`;
}
