/** Members of a replica set as processes that a test may kill and start again on the same folder and port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { findMongod } from '../../kernel/providers/storage/memory-server/mongod.js';

/** What needs members of its own needs a binary; the URL of a running MongoDB is not enough. */
export const mongodMissing: string | false =
  findMongod() === null ? 'skipped: no mongod that a test may stop; see the end of the run' : false;

export interface MongodSet {
  readonly url: string;
  /** `kill -9` of the member that is the primary now; answers its number. */
  killPrimary(): Promise<number>;
  /** Again, on the same files and port. */
  start(member: number): Promise<void>;
  /** SIGSTOP: it answers nothing and its connections stay open. */
  pause(member: number): void;
  /** SIGCONT. */
  resume(member: number): void;
  stop(): Promise<void>;
}

/** WiredTiger on a real folder, journalled: what is acknowledged must survive. */
export async function startMongodSet(members: number): Promise<MongodSet> {
  const binary = findMongod()?.path;
  if (binary === undefined) throw new Error('no mongod for this test');
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-mongod-'));
  const ports = await Promise.all(Array.from({ length: members }, freePort));
  const running: (ChildProcess | undefined)[] = [];
  const url = `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/?replicaSet=set`;

  const start = async (member: number): Promise<void> => {
    const path = join(folder, String(member));
    await mkdir(path, { recursive: true });
    const args = ['--port', ports[member], '--dbpath', path, '--replSet', 'set', '--bind_ip', '127.0.0.1'];
    const child = spawn(binary, [...args, '--wiredTigerCacheSizeGB', '0.25', '--nounixsocket'].map(String), {
      stdio: 'ignore',
    });
    running[member] = child;
    await answers(ports[member]!, { ping: 1 });
  };
  const kill = async (member: number): Promise<void> => {
    const child = running[member];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  await Promise.all(ports.map((_, member) => start(member)));
  await answers(ports[0]!, {
    replSetInitiate: {
      _id: 'set',
      members: ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` })),
      settings: { electionTimeoutMillis: 1000, heartbeatIntervalMillis: 300 },
    },
  });
  await primaryOf(url);
  return {
    url,
    start,
    killPrimary: async () => {
      const member = ports.indexOf(Number((await primaryOf(url)).split(':')[1]));
      await kill(member);
      return member;
    },
    pause: (member) => void running[member]?.kill('SIGSTOP'),
    resume: (member) => void running[member]?.kill('SIGCONT'),
    stop: async () => {
      await Promise.all(ports.map((_, member) => kill(member)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function primaryOf(url: string): Promise<string> {
  await using client = new MongoClient(url, { serverSelectionTimeoutMS: 20_000 });
  const { primary } = await client.db('admin').command({ hello: 1 }, { readPreference: 'primary' });
  return String(primary);
}

/** Sends the command until the server answers it; a server that has just begun refuses connections. */
async function answers(port: number, command: object): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await using client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: 500,
      });
      await client.db('admin').command(command);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await delay(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
