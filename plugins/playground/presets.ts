/** Presets, each visible to its owner alone. */
import { newId, type Clock, type Collection, type Document, type Storage } from 'plugboard/sdk';
import { errors } from './errors.js';
import type { PresetAnswer, PresetInput } from './schema.js';

interface PresetDocument extends Document {
  /** See `principalId`. */
  readonly owner: string;
  readonly name: string;
  readonly endpoint: string;
  readonly model: string;
  readonly system: string | null;
  /** JSON: the names in it are free, and a store has its own idea of `$` and dots. */
  readonly params: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export class Presets {
  readonly #collection: Collection<PresetDocument>;
  readonly #clock: Clock;
  readonly #limit: number;

  /** `limit`: presets of one owner. */
  constructor(storage: Storage, clock: Clock, limit: number) {
    this.#collection = storage.collection<PresetDocument>({
      name: 'presets',
      indexes: [{ keys: { owner: 1, createdAt: -1, _id: 1 } }],
    });
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Newest first; those of one millisecond by id. */
  async list(owner: string): Promise<PresetAnswer[]> {
    const found = await this.#collection.find({ owner }, { sort: { createdAt: -1, _id: 1 } }).toArray();
    return found.map(toAnswer);
  }

  async create(owner: string, input: PresetInput): Promise<PresetAnswer> {
    if ((await this.#collection.countDocuments({ owner })) >= this.#limit) {
      throw errors.too_many_presets({ values: { limit: this.#limit } });
    }
    const now = new Date(this.#clock.now());
    const preset: PresetDocument = {
      _id: newId(),
      owner,
      ...toFields(input),
      createdAt: now,
      updatedAt: now,
    };
    await this.#collection.insertOne(preset);
    return toAnswer(preset);
  }

  async get(owner: string, id: string): Promise<PresetAnswer> {
    return toAnswer(found(id, await this.#collection.findOne({ _id: id, owner })));
  }

  /** Replaces all but the id and the time of creation. */
  async replace(owner: string, id: string, input: PresetInput): Promise<PresetAnswer> {
    const updatedAt = new Date(this.#clock.now());
    const update = { $set: { ...toFields(input), updatedAt } };
    return toAnswer(found(id, await this.#collection.findOneAndUpdate({ _id: id, owner }, update)));
  }

  async delete(owner: string, id: string): Promise<void> {
    if ((await this.#collection.deleteOne({ _id: id, owner })) === 0) throw notFound(id);
  }
}

function toFields({ name, endpoint, model, system, params }: PresetInput) {
  return { name, endpoint, model, system, params: JSON.stringify(params) };
}

function toAnswer({
  _id,
  name,
  endpoint,
  model,
  system,
  params,
  createdAt,
  updatedAt,
}: PresetDocument): PresetAnswer {
  return {
    id: _id,
    name,
    endpoint,
    model,
    system,
    params: JSON.parse(params) as Record<string, unknown>,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function found(id: string, preset: PresetDocument | null): PresetDocument {
  if (preset === null) throw notFound(id);
  return preset;
}

function notFound(id: string): Error {
  return errors.preset_not_found({ values: { id: id.slice(0, 100) } });
}
