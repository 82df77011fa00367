/** The command line's side of the command socket. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import type { CommandStreams } from '../commands.js';
import { UserError } from '../../../kernel/sdk/plugin/command.js';
import { socketPath } from './address.js';
import { framesOf, send, type ClientFrame, type CommandDescription, type ServerFrame } from './frames.js';

/** A failure in the running server; its log has the rest. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
}

export interface RunningServer {
  readonly commands: readonly CommandDescription[];
  /** Runs one command. Throws as the command did. */
  run(name: string, words: readonly string[], streams: CommandStreams): Promise<void>;
  close(): void;
}

/** The server that uses the store in this folder; undefined when none runs. */
export async function connectToServer(folder: string): Promise<RunningServer | undefined> {
  const path = socketPath(folder);
  const socket = path === undefined ? undefined : await open(path);
  if (socket === undefined) return undefined;
  const frames = framesOf<ServerFrame>(socket);
  const { value: first } = await frames.next();
  if (first?.type !== 'commands') return undefined;
  return {
    commands: first.commands,
    run: (name, words, streams) => runRemotely(socket, frames, name, words, streams),
    close: () => socket.destroy(),
  };
}

export async function canConnect(path: string): Promise<boolean> {
  const socket = await open(path);
  socket?.destroy();
  return socket !== undefined;
}

/** Undefined if there is no socket, or one left by a killed server. */
async function open(path: string): Promise<Socket | undefined> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    socket.on('error', () => socket.destroy());
    return socket;
  } catch {
    return undefined;
  }
}

async function runRemotely(
  socket: Socket,
  frames: AsyncGenerator<ServerFrame>,
  name: string,
  words: readonly string[],
  { stdin, stdout, stderr, signal, cwd }: CommandStreams,
): Promise<void> {
  const tell = (frame: ClientFrame): void => void send(socket, frame);
  signal.addEventListener('abort', () => tell({ type: 'abort' }), { once: true });
  tell({ type: 'run', name, words, cwd });
  let input: AsyncIterator<string | Buffer> | undefined;
  for await (const frame of frames) {
    switch (frame.type) {
      case 'stdout':
      case 'stderr': {
        const output = frame.type === 'stdout' ? stdout : stderr;
        if (!output.write(Buffer.from(frame.bytes, 'base64'))) await once(output, 'drain');
        break;
      }
      case 'read':
        input ??= stdin[Symbol.asyncIterator]();
        // Not awaited: the command may print while the user types.
        void input.next().then(({ done, value }) => {
          tell({ type: 'stdin', bytes: done === true ? null : Buffer.from(value).toString('base64') });
        });
        break;
      case 'done':
        return;
      case 'failed':
        throw frame.user ? new UserError(frame.message) : new RemoteError(frame.message);
      case 'commands':
        break;
    }
  }
  throw new RemoteError('the server ended while the command ran');
}
