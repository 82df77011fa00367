/** The protocol of the command socket: JSON objects, one per line, bytes in base64. */
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Command } from '../../../kernel/sdk/plugin/command.js';

/** A command without its `run`: enough to find it by its words and to show its help. */
export type CommandDescription = Omit<Command, 'run'>;

export type ServerFrame =
  | { readonly type: 'commands'; readonly commands: readonly CommandDescription[] }
  | { readonly type: 'stdout' | 'stderr'; readonly bytes: string }
  /** Asks for one `stdin` frame. */
  | { readonly type: 'read' }
  | { readonly type: 'done' }
  /** `user`: a mistake of the user, as a `UserError` is. */
  | { readonly type: 'failed'; readonly message: string; readonly user: boolean };

export type ClientFrame =
  | { readonly type: 'run'; readonly name: string; readonly words: readonly string[]; readonly cwd: string }
  /** Null: the end of standard input. */
  | { readonly type: 'stdin'; readonly bytes: string | null }
  | { readonly type: 'abort' };

export async function* framesOf<F>(socket: Socket): AsyncGenerator<F> {
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity }))
    yield JSON.parse(line) as F;
}

/** Resolves when the other side takes more; never throws. A closed socket drops everything. */
export async function send(socket: Socket, frame: ServerFrame | ClientFrame): Promise<void> {
  if (!socket.writable || socket.write(`${JSON.stringify(frame)}\n`)) return;
  await new Promise<void>((resolve) => {
    // `once` of node:events throws if the connection is lost.
    const goOn = (): void => {
      socket.off('drain', goOn).off('close', goOn);
      resolve();
    };
    socket.on('drain', goOn).on('close', goOn);
  });
}
