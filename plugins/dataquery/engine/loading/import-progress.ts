/** How far a file of rows is stored: recorded in the transactions that store them, so that neither can be ahead. */
import { createHash, type Hash } from 'node:crypto';
import type { Collection, Transaction } from 'plugboard/sdk';
import type { Relation } from '../catalog/model.js';
import type { FileProgress, RowStore } from '../rows/row-store.js';
import type { SourceRow } from './row-source.js';

/** The import of one file into one relation. */
export class ImportProgress {
  readonly #records: Collection<FileProgress>;
  readonly #id: string;
  #hash: Hash = createHash('sha256');

  constructor(store: RowStore, { schema, name }: Relation, file: string) {
    this.#records = store.imports;
    this.#id = createHash('sha256')
      .update(JSON.stringify([schema, name, file]))
      .digest('hex');
  }

  /** How many leading rows of the file an interrupted import has stored; 0 if they differ. */
  async storedRows(rows: AsyncIterable<SourceRow>): Promise<number> {
    const record = await this.#records.findOne({ _id: this.#id });
    if (record === null || record.rows === 0) return 0;
    const hash = createHash('sha256');
    let left = record.rows;
    for await (const { text } of rows) {
      hash.update(text);
      left -= 1;
      if (left === 0) break;
    }
    return left === 0 && hash.digest('hex') === record.digest ? record.rows : 0;
  }

  /** Rows that are already stored. */
  pass(row: SourceRow): void {
    this.#hash.update(row.text);
  }

  /** Records, in the transaction that stores `rows`, that the file then has `count` rows stored. */
  async note(rows: readonly SourceRow[], count: number, tx: Transaction): Promise<() => void> {
    const hash = this.#hash.copy();
    hash.update(rows.map(({ text }) => text).join(''));
    const record = { _id: this.#id, rows: count, digest: hash.copy().digest('hex') };
    await this.#records.with(tx).replaceOne({ _id: this.#id }, record, { upsert: true });
    return () => (this.#hash = hash);
  }

  async end(): Promise<void> {
    await this.#records.deleteMany({ _id: this.#id });
  }
}
