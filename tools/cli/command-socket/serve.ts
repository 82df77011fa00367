/** The running server's side of the command socket: runs plugins' commands for every user that may open the socket. */
import { unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runCommand } from '../commands.js';
import { isUserError, UserError, type Command } from '../../../kernel/sdk/plugin/command.js';
import { socketPath } from './address.js';
import { canConnect } from './connect.js';
import { framesOf, send, type ClientFrame, type ServerFrame } from './frames.js';

export interface CommandServer {
  /** Aborts the commands that run and waits for them, `timeout` milliseconds at most. */
  close(timeout: number): Promise<void>;
}

const NONE: CommandServer = { close: () => Promise.resolve() };

/** Listens in the store's folder. A failure is logged; commands then cannot reach this server. */
export async function serveCommands(
  folder: string,
  commands: readonly Command[],
  log: Logger,
): Promise<CommandServer> {
  const path = socketPath(folder);
  if (path === undefined) {
    log.warn({ folder }, 'commands cannot reach this server: the path of the store is too long for a socket');
    return NONE;
  }
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = new Connection(socket, commands, log);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  // Left by a killed server.
  if (!(await canConnect(path))) removeFile(path);
  try {
    await listenPrivately(server, path);
  } catch (error) {
    log.warn({ err: error }, 'commands cannot reach this server');
    return NONE;
  }
  return {
    close: async (timeout) => {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all(Array.from(connections, (connection) => connection.close(timeout)));
      await closed;
    },
  };
}

/** Mode 0600 from its first moment. The umask is the process's, and listening on a path is synchronous. */
function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
  });
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // There was none.
  }
}

/** One command at most. */
class Connection {
  readonly #socket: Socket;
  readonly #commands: readonly Command[];
  readonly #log: Logger;
  readonly #abort = new AbortController();
  readonly #stdin: RemoteInput;
  #running = Promise.resolve();

  constructor(socket: Socket, commands: readonly Command[], log: Logger) {
    this.#socket = socket;
    this.#commands = commands;
    this.#log = log;
    this.#stdin = new RemoteInput(socket);
    // The client may be gone at any time; later writes are dropped.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#abort.abort();
      this.#stdin.destroy();
    });
    void this.#serve();
  }

  async close(timeout: number): Promise<void> {
    this.#abort.abort();
    await Promise.race([this.#running, setTimeout(timeout, undefined, { ref: false })]);
    this.#socket.destroy();
  }

  async #serve(): Promise<void> {
    const descriptions = this.#commands.map(({ run: _, ...description }) => description);
    try {
      await send(this.#socket, { type: 'commands', commands: descriptions });
      for await (const frame of framesOf<ClientFrame>(this.#socket)) this.#take(frame);
    } catch (error) {
      this.#log.warn({ err: error }, 'a connection to the command socket failed');
    }
    this.#socket.end();
  }

  #take(frame: ClientFrame): void {
    if (frame.type === 'stdin') this.#stdin.receive(frame.bytes);
    else if (frame.type === 'abort') this.#abort.abort();
    else this.#running = this.#run(frame);
  }

  /** Never throws. */
  async #run({ name, words, cwd }: Extract<ClientFrame, { type: 'run' }>): Promise<void> {
    const [stdout, stderr] = [remoteOutput(this.#socket, 'stdout'), remoteOutput(this.#socket, 'stderr')];
    const streams = { stdin: this.#stdin, stdout, stderr, signal: this.#abort.signal, cwd };
    let outcome: ServerFrame = { type: 'done' };
    try {
      const command = this.#commands.find((one) => one.name === name);
      if (command === undefined) throw new UserError(`there is no command "${name}"`);
      await runCommand(command, words, streams);
    } catch (error) {
      const user = isUserError(error);
      if (!user) this.#log.error({ err: error, command: name }, 'a command failed');
      outcome = { type: 'failed', message: error instanceof Error ? error.message : String(error), user };
    }
    // Output that the command did not wait for is still in flight.
    await Promise.all([stdout, stderr].map((output) => new Promise<void>((sent) => output.end(sent))));
    await send(this.#socket, outcome);
  }
}

/** Standard input, read by the client only as far as the command reads it. */
class RemoteInput extends Readable {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    this.on('error', () => {});
  }

  override _read(): void {
    void send(this.#socket, { type: 'read' });
  }

  receive(bytes: string | null): void {
    this.push(bytes === null ? null : Buffer.from(bytes, 'base64'));
  }
}

function remoteOutput(socket: Socket, type: 'stdout' | 'stderr'): Writable {
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      void send(socket, { type, bytes: chunk.toString('base64') }).then(() => done());
    },
  });
  // Output after the command's end is dropped.
  return output.on('error', () => {});
}
