/** How far a file of rows has been stored: kept in the transactions that store them, so that neither can be ahead. */
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

  /** How many rows at the beginning of the file are stored by an import that was broken off; 0 where they differ. */
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

  /** Rows that are stored already. */
  pass(row: SourceRow): void {
    this.#hash.update(row.text);
  }

  /** Says in the transaction that stores `rows` that they are, behind which the file has `count` rows stored. */
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
