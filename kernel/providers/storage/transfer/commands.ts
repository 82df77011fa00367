/** `plugboard data export` and `data import`: everything from one store to another, of either kind. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../../sdk/clock.js';
import { UserError, type Command } from '../../../sdk/command.js';
import type { Contents } from './digest.js';
import { exportStore } from './export.js';
import { importStore } from './import.js';
import { Progress } from './progress.js';
import type { Transferable } from './transferable.js';

const KEY_NOTE =
  'secrets in it stay sealed: the server that gets it needs the same sealing key (providers.auth.sealKeys, or seal.key in the folder of an embedded store)\n';

export function transferCommands(store: Transferable, clock: Clock): readonly Command[] {
  return [
    {
      name: 'data export',
      summary: 'writes everything in the store to a new file; stop writing first, or stop the server',
      usage: 'FILE',
      examples: ['plugboard data export move.gz'],
      async run({ args: [name = ''], cwd, stdout, stderr, signal }) {
        const file = resolve(cwd, name);
        if (existsSync(file)) throw new UserError(`"${name}" exists; name a new file`);
        const progress = new Progress(stderr, 'exported');
        const now = new Date(clock.now());
        const contents = await exportStore(store, file, { now, progress, signal });
        stdout.write(`exported ${sum(contents)} to ${name}\n`);
        stderr.write(KEY_NOTE);
      },
    },
    {
      name: 'data import',
      summary: 'fills an empty store from an export and compares the two; goes on after it was cut off',
      usage: 'FILE',
      examples: ['plugboard data import move.gz --config production.yaml'],
      async run({ args: [name = ''], cwd, stdout, stderr, signal }) {
        const progress = new Progress(stderr, 'imported');
        const contents = await importStore(store, resolve(cwd, name), { progress, signal });
        stdout.write(`imported ${sum(contents)}, all equal to the export\n`);
      },
    },
  ];
}

function sum(contents: readonly Contents[]): string {
  const documents = contents.reduce((all, one) => all + one.documents, 0);
  return `${documents} documents in ${contents.length} collections`;
}
