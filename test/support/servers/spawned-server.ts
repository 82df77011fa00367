/** The server as people run it: `plugboard run`, a process of its own, on a store that may outlive it. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { configText, type Deployment } from './deployment.js';
import { LOCAL, type Host } from './host.js';
import { root } from '../fixtures.js';

export interface RunOptions {
  /** Laid over the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which the command is typed; the project's own if not given. */
  readonly cwd?: string;
  /** The command; the one that was built here if not given. */
  readonly script?: string;
  /** The machine that it runs on; this one if not given. */
  readonly host?: Host;
  /** How many files the process may have open; as many as the tests if not given. */
  readonly openFiles?: number;
}

export class SpawnedServer implements AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  readonly #process: ServerProcess;

  private constructor(url: string, process: ServerProcess) {
    this.url = url;
    this.#process = process;
  }

  /** One more instance of an installation. */
  static async start(installation: Deployment, options: RunOptions = {}): Promise<SpawnedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-spawned-'));
    try {
      const file = join(folder, 'config.yaml');
      const { host } = options;
      const server = { ...installation.server, ...(host && { host: host.address }) };
      await writeFile(file, configText({ ...installation, server }));
      return await SpawnedServer.run([file], options);
    } finally {
      // Read once, at the start.
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** `plugboard run WORDS`. Resolves when it says that it is ready; rejects with its output when it ends before. */
  static async run(words: readonly string[], options: RunOptions = {}): Promise<SpawnedServer> {
    const process = new ServerProcess(words, options);
    return new SpawnedServer(await process.ready(), process);
  }

  /** The same without waiting: `url` is where its config says that it listens. */
  static launch(words: readonly string[], url: string, options: RunOptions = {}): SpawnedServer {
    return new SpawnedServer(url, new ServerProcess(words, options));
  }

  /** Resolves when it says that it is ready; rejects with its output when it ends before. */
  async ready(): Promise<void> {
    await this.#process.ready();
  }

  get pid(): number | undefined {
    return this.#process.child.pid;
  }

  /** Everything it printed so far. */
  get output(): string {
    return this.#process.output;
  }

  /** Sends the signal and goes on. */
  kill(signal: NodeJS.Signals): void {
    this.#process.child.kill(signal);
  }

  /** Sends the signal and answers the exit code (null when the signal itself ended the process). */
  async end(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { child } = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}

class ServerProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  output = '';

  constructor(
    words: readonly string[],
    {
      env = {},
      cwd = root,
      script = join(root, 'dist/tools/plugboard.js'),
      openFiles,
      host = LOCAL,
    }: RunOptions,
  ) {
    const command = [...host.command, process.execPath, script, 'run', ...words];
    const limited = ['/bin/sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command];
    const [program = '', ...rest] = openFiles === undefined ? command : limited;
    this.child = spawn(program, rest, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  /** The address that it prints. */
  ready(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.child.stdout.on('data', () => {
        const url = /ready: [^"]*?(https?:\/\/[^" ,]+)/.exec(this.output)?.[1];
        if (url !== undefined) resolve(url);
      });
      // Not at `exit`: what it printed last is still to be read.
      this.child.once('close', (code) => reject(new Error(`exited with ${code}:\n${this.output}`)));
    });
  }
}
