/** Writes everything that a store holds into one file. */
import { newId } from '../../../sdk/crypto.js';
import { encode } from '../bson/encode.js';
import { Tally, type Contents } from './digest.js';
import { writeFrames, type Frame } from './format.js';
import type { Progress } from './progress.js';
import { IMPORTS, type Transferable } from './transferable.js';

export interface ExportOptions {
  readonly now: Date;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Each collection is written as it is when its turn comes: writes that go on meanwhile may be in it or not. */
export async function exportStore(
  store: Transferable,
  file: string,
  { now, progress, signal }: ExportOptions,
): Promise<readonly Contents[]> {
  const names = (await store.names()).filter((name) => name !== IMPORTS);
  let total = 0;
  for (const name of names) total += await store.open(name).countDocuments({});
  const collections: Contents[] = [];

  async function* frames(): AsyncGenerator<Frame> {
    const header = { format: 'plugboard.export', version: 1, id: newId(), createdAt: now } as const;
    yield { kind: 'header', header: { ...header, documents: total } };
    for (const name of names) {
      yield { kind: 'collection', name };
      const tally = new Tally(name);
      for await (const document of store.open(name).find({}, { shared: true })) {
        const bytes = encode(document);
        tally.add(bytes);
        progress.advance(total);
        yield { kind: 'document', bytes };
      }
      collections.push(tally.contents());
    }
    yield { kind: 'end', collections };
  }
  await writeFrames(file, frames(), signal);
  return collections;
}
