/** The servers under measurement, each in a process of its own: the upstream, a bare proxy, Plugboard and Portkey's gateway. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Taken } from './taken.js';

export interface Peer {
  readonly name: string;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A model's name as this peer's clients write it. */
  model(name: string): string;
  gauge(): Promise<Taken>;
}

const resolve = createRequire(import.meta.url).resolve;

/** Starts all of them, measures, and stops them whatever happens. */
export async function withPeers(measure: (peers: readonly Peer[]) => Promise<void>): Promise<void> {
  const children: ChildProcess[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
  try {
    const upstream = run(children, join(import.meta.dirname, 'upstream.js'));
    const [port] = (await once(upstream, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const direct = { name: 'direct', origin, headers: {}, model: same, gauge: () => gauge(upstream) };
    const peers = [
      direct,
      await bareProxy(children, origin),
      await plugboard(children, folder, origin),
      await portkey(children, origin),
    ];
    await Promise.race([measure(peers), ...children.map(untimelyEnd)]);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    await Promise.all(children.filter(isRunning).map((child) => once(child, 'exit')));
    await rm(folder, { recursive: true, force: true });
  }
}

/** As it is installed: the embedded store, an API key for each call, a usage record for each call. */
async function plugboard(children: ChildProcess[], folder: string, upstream: string): Promise<Peer> {
  const key = `pb_${randomBytes(24).toString('base64url')}`;
  const port = await freePort();
  const config = {
    version: 1,
    server: { port },
    providers: {
      storage: { use: 'embedded', path: join(folder, 'store') },
      auth: { use: 'local', adminPassword: randomBytes(12).toString('hex'), firstKey: key },
    },
    plugins: { router: { upstreams: [{ name: 'up', baseUrl: `${upstream}/v1` }] } },
  };
  const file = join(folder, 'config.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config));
  const script = join(dirname(resolve('plugboard/package.json')), 'dist/tools/plugboard.js');
  const child = run(children, join(import.meta.dirname, 'gauge.js'), [script, 'run', file]);
  return ready({
    name: 'Plugboard',
    origin: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${key}` },
    model: (name) => `up/${name}`,
    gauge: () => gauge(child),
  });
}

async function bareProxy(children: ChildProcess[], upstream: string): Promise<Peer> {
  const port = await freePort();
  const script = join(import.meta.dirname, 'bare-proxy.js');
  const child = run(children, join(import.meta.dirname, 'gauge.js'), [script, upstream, String(port)]);
  return ready({
    name: 'bare proxy',
    origin: `http://127.0.0.1:${port}`,
    headers: {},
    model: same,
    gauge: () => gauge(child),
  });
}

/** It has no accounts of its own: the key that it is given is the upstream's. */
async function portkey(children: ChildProcess[], upstream: string): Promise<Peer> {
  const port = await freePort();
  const script = join(import.meta.dirname, '../../node_modules/@portkey-ai/gateway/build/start-server.js');
  const child = run(children, join(import.meta.dirname, 'gauge.js'), [
    script,
    '--headless',
    `--port=${port}`,
  ]);
  return ready({
    name: 'Portkey',
    origin: `http://127.0.0.1:${port}`,
    headers: {
      authorization: 'Bearer a-key-of-the-upstream',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    },
    model: same,
    gauge: () => gauge(child),
  });
}

function run(children: ChildProcess[], script: string, args: readonly string[] = []): ChildProcess {
  // `PROFILE` names a folder for processor profiles of what runs.
  const execArgv = process.env['PROFILE'] ? ['--cpu-prof', `--cpu-prof-dir=${process.env['PROFILE']}`] : [];
  const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv });
  children.push(child);
  return child;
}

async function ready(peer: Peer): Promise<Peer> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answered = await fetch(peer.origin, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
    await answered?.text();
    if (answered !== null) return peer;
    await sleep(50);
  }
  throw new Error(`${peer.name} did not start`);
}

/** A child that a signal ended has no exit code: to wait for its end again would be to wait for ever. */
function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Rejects when a server ends while it is measured: nothing else would end the wait for it. */
async function untimelyEnd(child: ChildProcess): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new Error(`${child.spawnargs.slice(1, 4).join(' ')} ended with ${signal ?? code}`);
}

async function gauge(child: ChildProcess): Promise<Taken> {
  child.send('gauge');
  const [taken] = (await once(child, 'message')) as [Taken];
  return taken;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function same(name: string): string {
  return name;
}
