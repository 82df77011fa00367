/** Members of a replica set as processes that a test may kill and start again on the same folder and port. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { LOCAL, type Host } from '../servers/host.js';
import { freePort, Mongod } from './mongod.js';

/** Where a member runs, and where its files are. */
export interface MemberPlace {
  readonly host?: Host;
  /** Default: a temporary folder of the set. */
  readonly folder?: string;
}

export interface MongodSet {
  readonly url: string;
  /** The number of the member that is the primary now. */
  primary(): Promise<number>;
  /** `kill -9`; its files stay. */
  kill(member: number): Promise<void>;
  /** `kill -9` of the member that is the primary now; answers its number. */
  killPrimary(): Promise<number>;
  /** Again, on the same files and port. */
  start(member: number): Promise<void>;
  /** It answers nothing and its connections stay open. */
  pause(member: number): void;
  resume(member: number): void;
  /** Where its files are. */
  folderOf(member: number): string;
  stop(): Promise<void>;
}

/** WiredTiger on a real folder, journalled: what is acknowledged must survive. */
export async function startMongodSet(count: number, places: readonly MemberPlace[] = []): Promise<MongodSet> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-mongods-'));
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const members: Mongod[] = [];
  const folderOf = (member: number): string => places[member]?.folder ?? join(folder, String(member));
  const hostOf = (member: number): Host => places[member]?.host ?? LOCAL;
  const addresses = ports.map((port, member) => `${hostOf(member).address}:${port}`);
  const url = `mongodb://${addresses.join(',')}/?replicaSet=set`;

  const start = async (member: number): Promise<void> => {
    members[member] = await Mongod.start({
      port: ports[member]!,
      host: hostOf(member),
      folder: folderOf(member),
      args: ['--replSet', 'set'],
    });
  };
  await Promise.all(ports.map((_, member) => start(member)));
  await members[0]!.command({
    replSetInitiate: {
      _id: 'set',
      members: addresses.map((host, _id) => ({ _id, host })),
      settings: { electionTimeoutMillis: 1000, heartbeatIntervalMillis: 300 },
    },
  });
  await primaryOf(url);
  const primary = async (): Promise<number> => addresses.indexOf(await primaryOf(url));
  return {
    url,
    start,
    primary,
    folderOf,
    kill: (member) => members[member]!.kill(),
    pause: (member) => members[member]?.pause(),
    resume: (member) => members[member]?.resume(),
    killPrimary: async () => {
      const member = await primary();
      await members[member]!.kill();
      return member;
    },
    stop: async () => {
      await Promise.all(members.map((member) => member.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function primaryOf(url: string): Promise<string> {
  await using client = new MongoClient(url, { serverSelectionTimeoutMS: 20_000 });
  const { primary } = await client.db('admin').command({ hello: 1 }, { readPreference: 'primary' });
  return String(primary);
}
