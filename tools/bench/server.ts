/** Processes under measurement: Plugboard as its command line starts it, and peers. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The API key that every Plugboard under measurement has. */
export const KEY = `pb_${'bench'.repeat(8)}`;

export interface Server {
  readonly origin: string;
  /** Whose processor time counts, with that of their children. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** Starts Node with these arguments and waits until it prints the URL at which it listens. */
export async function startServer(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Server> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const port = await listening(child, args);
  return {
    origin: `http://127.0.0.1:${port}`,
    pids: [child.pid ?? 0],
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function listening(child: ChildProcess, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      if (output.length > 100_000) return;
      output += String(chunk);
      const port = /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.once('exit', () => reject(new Error(`${args.join(' ')} did not start: ${output}`)));
  });
}
