/** The server of the README, as `npm start` serves it, and its OpenAPI document. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema?: { readonly type?: string } }[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly document: OpenApi;
  /** Of this run, for what is generated. */
  readonly folder: string;
}

export async function serve(): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-clients-'));
  const env = { ...process.env, PORT: '0', PLUGBOARD_DATA: join(folder, 'data') };
  const program = join(root, 'dist/tools/plugboard.js');
  const server = spawn(process.execPath, [program, 'run', 'config/default.yaml'], { cwd: root, env });
  const ended = new Promise<void>((resolved) => server.once('exit', () => resolved()));
  const end = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { url, key } = await started(server.stdout, ended);
    const answer = await fetch(`${url}/-/openapi.json`, { headers: { authorization: `Bearer ${key}` } });
    const document = (await answer.json()) as OpenApi;
    return { url, key, document, folder, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** What the first start prints: the address, and the key. */
async function started(
  output: NodeJS.ReadableStream,
  ended: Promise<void>,
): Promise<{ url: string; key: string }> {
  let text = '';
  output.setEncoding('utf8');
  return new Promise((resolved, failed) => {
    void ended.then(() => failed(new Error(`the server ended:\n${text}`)));
    output.on('data', (part: string) => {
      text += part;
      const url = /ready: .*(http:\/\/[\w.:]+)/.exec(text)?.[1];
      const key = /\bpb_[\w-]+/.exec(text)?.[0];
      if (url !== undefined && key !== undefined) resolved({ url, key });
    });
  });
}
