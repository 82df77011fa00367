/** The questions of `plugboard init` at a terminal. An empty line takes the default, shown in brackets. */
import { createInterface } from 'node:readline/promises';
import { isUserError, UserError } from '../../../kernel/sdk/plugin/command.js';
import type { FoundUpstream } from './upstreams.js';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export class Questions {
  readonly #lines;
  readonly #output;
  readonly #left = new AbortController();

  constructor({ input, output }: Terminal) {
    this.#lines = createInterface({ input, output });
    this.#output = output;
    // Ctrl+C or Ctrl+D: without this, the question would never settle and the process end silently.
    this.#lines.once('close', () => {
      this.#left.abort(new UserError('not every question was answered: nothing is written'));
    });
  }

  /** Asks again until `read` takes the answer: what it throws for a user is shown. */
  async ask<T>(question: string, usual: string, read: (answer: string) => T): Promise<T> {
    for (;;) {
      const typed = await this.#answer(`${question} [${usual}] `);
      try {
        return read(typed === '' ? usual : typed);
      } catch (error) {
        if (!isUserError(error)) throw error;
        this.#output.write(`${(error as Error).message}\n`);
      }
    }
  }

  async confirmUpstreams(found: readonly FoundUpstream[]): Promise<readonly FoundUpstream[]> {
    if (found.length === 0) return found;
    const said = found.map(({ name, variable, baseUrl }) => `${name} (${variable ?? baseUrl})`).join(', ');
    const answer = await this.ask(`Models are at ${said}. Use them?`, 'yes', (text) => text.toLowerCase());
    return answer.startsWith('y') ? found : [];
  }

  async #answer(question: string): Promise<string> {
    const { signal } = this.#left;
    try {
      return (await this.#lines.question(question, { signal })).trim();
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  }

  close(): void {
    this.#lines.close();
  }
}
