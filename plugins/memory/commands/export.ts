/** `plugboard memory export [FILE|-]`: writes the live entries as NDJSON, oldest first, in the shape of the API. */
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { UserError, type Clock, type Command, type CommandCall, type Filter } from 'plugboard/sdk';
import { live, WITHOUT_VECTOR, type EntryDocument } from '../engine/entries/document.js';
import type { Entries } from '../engine/entries/entries.js';
import { oldestFirst } from '../engine/entries/in-pages.js';
import { present } from '../front/api/present.js';
import { progress } from './progress.js';

export function exportCommand(entries: Entries, clock: Clock): Command {
  return {
    name: 'memory export',
    summary: 'writes the memories as NDJSON, one entry a line',
    usage: '[FILE|-]',
    options: {
      'api-key-id': { type: 'string', value: 'ID', summary: 'only the memories of this owner' },
    },
    examples: [
      'plugboard memory export memories.ndjson',
      'plugboard memory export --api-key-id KEY > mine.ndjson',
    ],
    run: (call) => exportEntries(entries, clock, call),
  };
}

async function exportEntries(entries: Entries, clock: Clock, call: CommandCall): Promise<void> {
  const file = call.args[0] === '-' ? undefined : call.args[0];
  const output =
    file === undefined ? call.stdout : (await openFile(resolve(call.cwd, file))).createWriteStream();
  const owner = call.options['api-key-id'];
  const filter: Filter<EntryDocument> = {
    ...live(clock.now()),
    ...(typeof owner === 'string' ? { apiKeyId: owner } : {}),
  };
  const report = progress(call.stderr, 'exported');
  for await (const page of oldestFirst(entries.documents, filter, WITHOUT_VECTOR)) {
    for (const entry of page) {
      call.signal.throwIfAborted();
      await writeLine(output, JSON.stringify(present(entry)));
      report.step();
    }
  }
  if (file !== undefined) await new Promise<void>((resolve) => output.end(resolve));
  report.done();
}

async function writeLine(output: Writable, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, 'drain');
}

function openFile(file: string): Promise<FileHandle> {
  return open(file, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`cannot write ${file}: ${error.code ?? error.message}`, { cause: error });
  });
}
