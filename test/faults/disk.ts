/** A disk of its own, a file with a file system, that can be made to hang: what writes to it waits. Of Linux, for root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = '1500M';

export const diskMissing: string | false = whatIsMissing();

export class Disk implements Disposable {
  readonly folder: string;
  readonly #at: string;
  #isFrozen = false;

  constructor() {
    // Not in memory: what lies there has no file system that can be frozen.
    this.#at = mkdtempSync(join(tmpdir(), 'plugboard-disk-'));
    this.folder = join(this.#at, 'mounted');
    mkdirSync(this.folder);
    const file = join(this.#at, 'disk');
    execFileSync('truncate', ['-s', SIZE, file]);
    execFileSync('mkfs.ext4', ['-q', file]);
    execFileSync('mount', ['-o', 'loop', file, this.folder]);
  }

  /** A process that writes there cannot even be killed until `thaw`. */
  freeze(): void {
    execFileSync('fsfreeze', ['-f', this.folder]);
    this.#isFrozen = true;
  }

  thaw(): void {
    if (this.#isFrozen) execFileSync('fsfreeze', ['-u', this.folder]);
    this.#isFrozen = false;
  }

  [Symbol.dispose](): void {
    this.thaw();
    spawnSync('umount', ['-l', this.folder]);
    rmSync(this.#at, { recursive: true, force: true });
  }
}

function whatIsMissing(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'skipped: needs root on Linux';
  const tools = ['mkfs.ext4', 'fsfreeze', 'losetup'];
  const missing = tools.find((tool) => spawnSync('which', [tool]).status !== 0);
  if (missing !== undefined) return `skipped: needs ${missing}`;
  return spawnSync('losetup', ['-f']).status === 0 ? false : 'skipped: needs loop devices';
}
