/** Presets, each visible to its owner alone. */
import {
  decodeCursor,
  encodeCursor,
  newId,
  nextTurn,
  turnIsOver,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';
import { errors } from './errors.js';
import { MAX_PARAMS, type PresetAnswer, type PresetInput, type PresetQuery } from './schema.js';

interface PresetDocument extends Document {
  /** See `principalId`. */
  readonly owner: string;
  readonly name: string;
  readonly endpoint: string;
  readonly model: string;
  readonly system: string | null;
  /** JSON: the names in it are free, and a store has its own idea of `$` and dots. */
  readonly params: string;
  /** Characters of all texts above. */
  readonly size?: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface PresetPage {
  readonly presets: PresetAnswer[];
  readonly next?: string | null;
}

export interface PresetLimits {
  readonly maxPresets: number;
  readonly maxCharacters: number;
}

export class Presets {
  readonly #collection: Collection<PresetDocument>;
  readonly #clock: Clock;
  readonly #limits: PresetLimits;
  /** The last write of each owner that has one under way: together, they would not see each other in what they count. */
  readonly #writes = new Map<string, Promise<unknown>>();

  /** The limits are for each owner. */
  constructor(storage: Storage, clock: Clock, limits: PresetLimits) {
    this.#collection = storage.collection<PresetDocument>({
      name: 'presets',
      indexes: [{ keys: { owner: 1, createdAt: -1, _id: 1 } }],
    });
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Newest first; those of one millisecond by id. `next` is the page after one that `limit` ended. */
  async list(owner: string, { limit, after }: PresetQuery = {}): Promise<PresetPage> {
    const place = after === undefined ? undefined : placeOf(after);
    const filter =
      place === undefined
        ? { owner }
        : { owner, $or: [{ createdAt: { $lt: place.at } }, { createdAt: place.at, _id: { $gt: place.id } }] };
    const page = limit === undefined ? {} : { limit: limit + 1 };
    const found: PresetDocument[] = [];
    for await (const preset of this.#collection.find(filter, { sort: { createdAt: -1, _id: 1 }, ...page })) {
      found.push(preset);
      if (turnIsOver()) await nextTurn();
    }
    const presets = found.slice(0, limit).map(toAnswer);
    if (limit === undefined) return { presets };
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { presets, next: last === undefined ? null : encodeCursor([last.createdAt.getTime(), last._id]) };
  }

  async create(owner: string, input: PresetInput): Promise<PresetAnswer> {
    const fields = toFields(input);
    return this.#oneByOne(owner, async () => {
      await this.#makeSureOfRoom(owner, fields.size);
      const now = new Date(this.#clock.now());
      const preset: PresetDocument = { _id: newId(), owner, ...fields, createdAt: now, updatedAt: now };
      await this.#collection.insertOne(preset);
      return toAnswer(preset);
    });
  }

  async get(owner: string, id: string): Promise<PresetAnswer> {
    return toAnswer(found(id, await this.#collection.findOne({ _id: id, owner })));
  }

  /** Replaces all but the id and the time of creation. */
  async replace(owner: string, id: string, input: PresetInput): Promise<PresetAnswer> {
    const fields = toFields(input);
    return this.#oneByOne(owner, async () => {
      await this.#makeSureOfRoom(owner, fields.size, id);
      const update = { $set: { ...fields, updatedAt: new Date(this.#clock.now()) } };
      return toAnswer(found(id, await this.#collection.findOneAndUpdate({ _id: id, owner }, update)));
    });
  }

  async delete(owner: string, id: string): Promise<void> {
    if ((await this.#collection.deleteOne({ _id: id, owner })) === 0) throw notFound(id);
  }

  /** For one more preset of this size, or one in the place of `replaced`. */
  /** How many there were. */
  deleteOf(owners: readonly string[]): Promise<number> {
    return this.#collection.deleteMany({ owner: { $in: [...owners] } });
  }

  async #makeSureOfRoom(owner: string, size: number, replaced?: string): Promise<void> {
    const { maxPresets, maxCharacters } = this.#limits;
    let count = 0;
    let characters = size;
    const others = this.#collection.find({ owner }, { projection: { size: 1 } });
    for await (const preset of others) {
      if (preset._id === replaced) continue;
      count += 1;
      characters += preset.size ?? 0;
    }
    if (replaced === undefined && count >= maxPresets)
      throw errors.too_many_presets({ values: { limit: maxPresets } });
    if (characters > maxCharacters) throw errors.presets_too_large({ values: { limit: maxCharacters } });
  }

  async #oneByOne<T>(owner: string, write: () => Promise<T>): Promise<T> {
    const before = this.#writes.get(owner) ?? Promise.resolve();
    const written = before.then(write, write);
    this.#writes.set(owner, written);
    try {
      return await written;
    } finally {
      if (this.#writes.get(owner) === written) this.#writes.delete(owner);
    }
  }
}

function placeOf(cursor: string): { readonly at: Date; readonly id: string } {
  const place = decodeCursor(cursor);
  if (Array.isArray(place)) {
    const [at, id] = place as unknown[];
    if (Number.isSafeInteger(at) && typeof id === 'string') return { at: new Date(at as number), id };
  }
  throw errors.invalid_request({ values: { message: 'after must be the "next" of a page' }, param: 'after' });
}

function toFields({ name, endpoint, model, system, params }: PresetInput) {
  const json = JSON.stringify(params);
  if (json.length > MAX_PARAMS)
    throw errors.params_too_long({ values: { limit: MAX_PARAMS }, param: 'params' });
  const texts = [name, endpoint, model, system ?? '', json];
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  return { name, endpoint, model, system, params: json, size };
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
