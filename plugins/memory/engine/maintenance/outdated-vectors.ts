/** Flags entries whose vectors are of another model or size: they cannot be compared. */
import { nextTurn, type Clock, type Collection, type Logger } from 'plugboard/sdk';
import type { EntryDocument } from '../entries/document.js';
import { spaceOf, type Catalog, type Facts } from '../live/catalog.js';
import type { Outcomes } from '../sources/outcomes.js';

const BATCH = 100;

export class OutdatedVectors {
  readonly #documents: Collection<EntryDocument>;
  readonly #catalog: Catalog;
  readonly #outcomes: Outcomes;
  readonly #clock: Clock;
  readonly #log: Logger;
  /**
   * Spaces that were compared: entries of other sizes are flagged once only, in case a model alternates between sizes.
   */
  readonly #compared = new Set<string>();

  constructor(
    documents: Collection<EntryDocument>,
    catalog: Catalog,
    outcomes: Outcomes,
    clock: Clock,
    log: Logger,
  ) {
    this.#documents = documents;
    this.#catalog = catalog;
    this.#outcomes = outcomes;
    this.#clock = clock;
    this.#log = log;
  }

  /** The space of a model's vectors; null until its size is known. */
  spaceOf(model: string): string | null {
    const dimensions = this.#outcomes.of(model)?.dimensions ?? null;
    return dimensions === null ? null : spaceOf(model, dimensions);
  }

  exist(model: string): boolean {
    return this.#find(model).length > 0;
  }

  async flag(model: string): Promise<void> {
    const outdated = this.#find(model);
    const space = this.spaceOf(model);
    if (space !== null) this.#compared.add(space);
    if (outdated.length === 0) return;
    const entries = outdated.length;
    this.#log.info({ model, entries }, 'entries without a vector of the model are embedded anew');
    const ofOthers = outdated.filter((facts) => !isOf(model, facts.space));
    const ofOtherSizes = outdated.filter((facts) => isOf(model, facts.space));
    // The index may lag the storage: an entry that already has its vector is left alone.
    await this.#flagAll(ofOthers, { $ne: model });
    await this.#flagAll(ofOtherSizes, model);
  }

  async #flagAll(outdated: readonly Facts[], vectorModel: string | { $ne: string }): Promise<void> {
    for (let at = 0; at < outdated.length; at += BATCH) {
      const ids = outdated.slice(at, at + BATCH).map(({ id }) => id);
      await this.#documents.updateMany(
        { _id: { $in: ids }, needsReindex: 0, vectorModel },
        { $set: { needsReindex: 1, attempts: 0, retryAt: null }, $inc: { revision: 1 } },
      );
      await nextTurn();
    }
  }

  #find(model: string): Facts[] {
    const space = this.spaceOf(model);
    const fits =
      space === null || this.#compared.has(space)
        ? (other: string | null) => isOf(model, other)
        : (other: string | null) => other === space;
    if ([...this.#catalog.settledSpaces()].every(fits)) return [];
    const live = [...this.#catalog.matching({}, this.#clock.now())];
    return live.filter(({ needsReindex, space: own }) => needsReindex === 0 && !fits(own));
  }
}

function isOf(model: string, space: string | null): boolean {
  return space?.startsWith(`${model}@`) === true;
}
