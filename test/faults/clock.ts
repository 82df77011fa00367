/** The wall clock of one process, which can be set while it runs; its monotonic clock goes on. By libfaketime. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARY = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find((file) => existsSync(file));

export const clockMissing: string | false = LIBRARY === undefined ? 'skipped: needs libfaketime' : false;

export class Clock implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'plugboard-clock-'));

  constructor() {
    this.shift('+0');
  }

  /** For the process whose clock it is. */
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      // Timers of Node would stop at a jump back.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** From now on it is off by so much: `+1h`, `-10m`. */
  shift(offset: string): void {
    writeFileSync(this.#file, `${offset}\n`);
  }

  get #file(): string {
    return join(this.#folder, 'offset');
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
