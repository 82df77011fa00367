/** `npm start` without the build: the default config, spawned, on a store of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './fixtures.js';

export interface DefaultServer {
  readonly url: string;
  /** The API key that the first start printed. */
  readonly key: string;
  readonly output: string;
  stop(): Promise<number | null>;
}

/** `data`: where the store lives. `env`: what the config asks for beside it. */
export async function startDefault(
  data: string,
  file = 'config/default.yaml',
  env: Readonly<Record<string, string>> = {},
): Promise<DefaultServer> {
  const child = spawn(process.execPath, [join(root, 'dist/tools/plugboard.js'), 'run', join(root, file)], {
    cwd: root,
    env: { ...process.env, PORT: '0', PLUGBOARD_DATA: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /ready: [^"]*?(http:\/\/[^" ,]+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`exited with ${code}:\n${output}`)));
  });
  return {
    url,
    key: /\bpb_[\w-]+/.exec(output)?.[0] ?? '',
    output,
    stop: async () => {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}
