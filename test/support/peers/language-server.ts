/** The YAML language server that editors run, over its standard input and output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node.js';

const PROGRAM = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');

export interface Place {
  /** From 0. */
  readonly line: number;
  readonly character: number;
}

interface Diagnostics {
  readonly uri: string;
  readonly diagnostics: readonly { readonly message: string; readonly range: { readonly start: Place } }[];
}

export class LanguageServer {
  readonly #connection: MessageConnection;
  readonly #end: () => Promise<void>;
  readonly #waiting = new Map<string, (found: Diagnostics['diagnostics']) => void>();

  private constructor(connection: MessageConnection, end: () => Promise<void>) {
    this.#connection = connection;
    this.#end = end;
    // Without an answer it forgets what it was set to, and checks nothing.
    connection.onRequest('workspace/configuration', ({ items }: { items: { section: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? SETTINGS : {})),
    );
    connection.onRequest('client/registerCapability', () => null);
    connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: Diagnostics) => {
      this.#waiting.get(uri)?.(diagnostics);
      this.#waiting.delete(uri);
    });
    connection.listen();
  }

  static async start(): Promise<LanguageServer> {
    const child = spawn(process.execPath, [PROGRAM, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const server = new LanguageServer(connection, async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await exited;
      connection.dispose();
    });
    const capabilities = { workspace: { configuration: true }, textDocument: { publishDiagnostics: {} } };
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
    await connection.sendNotification('initialized', {});
    return server;
  }

  /** Opens a text, and answers what is wrong with it: `line: message`, lines from 1. */
  async problems(uri: string, text: string): Promise<string[]> {
    const found = new Promise<Diagnostics['diagnostics']>((resolve) => this.#waiting.set(uri, resolve));
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument });
    return (await found).map(({ message, range }) => `${range.start.line + 1}: ${message}`);
  }

  /** What may be written at a place of an open text. */
  async completions(uri: string, position: Place): Promise<string[]> {
    const answer = await this.#connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    return (answer as { items: { label: string }[] }).items.map(({ label }) => label);
  }

  /** What is said of a place of an open text. */
  async hover(uri: string, position: Place): Promise<string> {
    const answer = await this.#connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    return (answer as { contents: { value: string } } | null)?.contents.value ?? '';
  }

  end(): Promise<void> {
    return this.#end();
  }
}

const SETTINGS = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
