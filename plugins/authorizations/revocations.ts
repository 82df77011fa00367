/**
 * Revokes all tokens of an application at once. Each application counts its revocations, and each authorization keeps
 * the count under which it was made: one with an earlier count is refused on every instance as soon as the new count is
 * written. A count rather than a time, because the instances' clocks differ.
 */
import type { Changes, Collection, Document, Filter, JobRun, Storage } from 'plugboard/sdk';
import type { AuthorizationDocument } from './documents.js';

interface RevocationDocument extends Document {
  readonly generation: number;
}

const BATCH = 500;

export class Revocations {
  readonly #revocations: Collection<RevocationDocument>;
  readonly #authorizations: Collection<AuthorizationDocument>;

  readonly #storage: Storage;
  readonly #changes: Changes | undefined;

  constructor(
    storage: Storage,
    authorizations: Collection<AuthorizationDocument>,
    changes: Changes | undefined,
  ) {
    this.#storage = storage;
    this.#changes = changes;
    this.#revocations = storage.collection<RevocationDocument>({ name: 'revocations' });
    this.#authorizations = authorizations;
  }

  /** The generation of the accepted authorizations. */
  async generationOf(appId: string): Promise<number> {
    return (await this.#revocations.findOne({ _id: appId }))?.generation ?? 0;
  }

  async accepts({ appId, generation }: AuthorizationDocument): Promise<boolean> {
    return appId === null || generation === (await this.generationOf(appId));
  }

  /** The accepted ones, in their order. */
  async accepted(documents: readonly AuthorizationDocument[]): Promise<AuthorizationDocument[]> {
    const apps = new Set(documents.flatMap(({ appId }) => appId ?? []));
    const revoked = await this.#revocations.find({ _id: { $in: [...apps] } }).toArray();
    const generations = new Map(revoked.map(({ _id, generation }) => [_id, generation]));
    return documents.filter(
      ({ appId, generation }) => appId === null || generation === (generations.get(appId) ?? 0),
    );
  }

  /** Excludes the user's authorizations that are revoked and not cleaned up yet. */
  async living(userId: number): Promise<Filter<AuthorizationDocument>> {
    const apps = await this.#authorizations.distinct('appId', { userId });
    const revoked = await this.#revocations.find({ _id: { $in: apps as string[] } }).toArray();
    return revoked.length === 0
      ? { userId }
      : {
          userId,
          $nor: revoked.map(({ _id, generation }) => ({ appId: _id, generation: { $lt: generation } })),
        };
  }

  /** Nothing that was made before is accepted once this resolves. */
  async revokeAll(appId: string, clientId: string): Promise<number> {
    const type = 'authorization.all_revoked';
    if (this.#changes?.wants(type) !== true) return this.#raise(this.#revocations, appId);
    return this.#storage.transaction(async (tx) => {
      const generation = await this.#raise(this.#revocations.with(tx), appId);
      await this.#changes?.record(tx, { type, subject: clientId, data: { client_id: clientId } });
      return generation;
    });
  }

  async #raise(revocations: Collection<RevocationDocument>, appId: string): Promise<number> {
    const raise = { $inc: { generation: 1 } };
    const counted = await revocations.findOneAndUpdate({ _id: appId }, raise, { upsert: true });
    if (counted === null) throw new Error('an upsert answered no document');
    return counted.generation;
  }

  /** The job of `revokeAll`: deletes what was revoked. */
  async cleanUp(run: JobRun<{ appId: string }>): Promise<{ deleted: number }> {
    const { appId } = run.input;
    const filter = { appId, generation: { $lt: await this.generationOf(appId) } };
    const total = await this.#authorizations.countDocuments(filter);
    let deleted = 0;
    for (;;) {
      run.signal.throwIfAborted();
      const batch = await this.#authorizations
        .find(filter, { limit: BATCH, projection: { _id: 1 } })
        .toArray();
      if (batch.length === 0) return { deleted };
      deleted += await this.#authorizations.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
      run.progress(deleted, Math.max(total, deleted));
    }
  }
}
