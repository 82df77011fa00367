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
import { paramsText } from './params.js';
import type { Room } from './room.js';
import type { PresetAnswer, PresetInput, PresetQuery } from './schema.js';

interface PresetDocument extends Document {
  /** See `principalId`. */
  readonly owner: string;
  readonly name: string;
  readonly endpoint: string;
  readonly model: string;
  readonly system: string | null;
  /** JSON: its names are arbitrary, and stores treat `$` and dots specially. */
  readonly params: string;
  /** Total characters of the texts above. */
  readonly size?: number;
  /** Number of versions so far. */
  readonly versions?: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface PresetPage {
  readonly presets: PresetAnswer[];
  readonly next?: string | null;
}

export class Presets {
  readonly #collection: Collection<PresetDocument>;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #most: number;

  /** `most`: per owner. */
  constructor(storage: Storage, { clock, room, most }: { clock: Clock; room: Room; most: number }) {
    this.#collection = storage.collection<PresetDocument>({
      name: 'presets',
      indexes: [{ keys: { owner: 1, createdAt: -1, _id: 1 } }],
    });
    room.count(this.#collection);
    this.#clock = clock;
    this.#room = room;
    this.#most = most;
  }

  /** Newest first, then by id. `next` is the page after one that `limit` ended. */
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
    return this.#room.write({ owner, size: fields.size }, async () => {
      if ((await this.#collection.countDocuments({ owner })) >= this.#most)
        throw errors.too_many_presets({ values: { limit: this.#most } });
      const now = new Date(this.#clock.now());
      const preset: PresetDocument = { _id: newId(), owner, ...fields, createdAt: now, updatedAt: now };
      await this.#collection.insertOne(preset);
      return toAnswer(preset);
    });
  }

  async get(owner: string, id: string): Promise<PresetAnswer> {
    return toAnswer(found(id, await this.#collection.findOne({ _id: id, owner })));
  }

  /** Replaces everything but the id and the creation time. */
  async replace(owner: string, id: string, input: PresetInput): Promise<PresetAnswer> {
    const fields = toFields(input);
    return this.#room.write({ owner, size: fields.size, replaced: id }, async () => {
      const update = { $set: { ...fields, updatedAt: new Date(this.#clock.now()) } };
      return toAnswer(found(id, await this.#collection.findOneAndUpdate({ _id: id, owner }, update)));
    });
  }

  /** An unused version number of the preset. */
  async nextVersion(owner: string, id: string): Promise<number> {
    const counted = await this.#collection.findOneAndUpdate({ _id: id, owner }, { $inc: { versions: 1 } });
    return found(id, counted).versions ?? 1;
  }

  async delete(owner: string, id: string): Promise<void> {
    if ((await this.#collection.deleteOne({ _id: id, owner })) === 0) throw notFound(id);
  }

  /** Returns how many there were. */
  deleteOf(owners: readonly string[]): Promise<number> {
    return this.#collection.deleteMany({ owner: { $in: [...owners] } });
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
  const json = paramsText(params);
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
