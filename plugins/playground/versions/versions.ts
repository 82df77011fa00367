/** Versions of a preset, which never change, and labels that move between them. */
import {
  insertWithin,
  nextTurn,
  turnIsOver,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Presets } from '../presets.js';
import type { Room } from '../room.js';
import { paramsText } from '../params.js';
import type { VersionAnswer, VersionInput } from './schema.js';
import { variablesIn } from './template.js';

interface VersionDocument extends Document {
  readonly owner: string;
  readonly preset: string;
  readonly version: number;
  readonly model: string;
  readonly system: string | null;
  readonly prompt: string;
  /** JSON, as in a preset. */
  readonly params: string;
  readonly size: number;
  readonly createdAt: Date;
}

/** `_id`: the preset's, a space and the label. */
interface LabelDocument extends Document {
  readonly owner: string;
  readonly preset: string;
  readonly label: string;
  readonly version: number;
}

const MOST_LABELS = 20;

export class Versions {
  readonly #presets: Presets;
  readonly #versions: Collection<VersionDocument>;
  readonly #labels: Collection<LabelDocument>;
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #most: number;

  /** `most`: per preset. */
  constructor(
    storage: Storage,
    { presets, clock, room, most }: { presets: Presets; clock: Clock; room: Room; most: number },
  ) {
    this.#versions = storage.collection<VersionDocument>({
      name: 'versions',
      indexes: [{ keys: { preset: 1, version: 1 }, unique: true }, { keys: { owner: 1 } }],
    });
    this.#labels = storage.collection<LabelDocument>({
      name: 'labels',
      indexes: [{ keys: { preset: 1 } }, { keys: { owner: 1 } }],
    });
    room.count(this.#versions);
    this.#presets = presets;
    this.#clock = clock;
    this.#room = room;
    this.#most = most;
  }

  async add(owner: string, id: string, { label, ...input }: VersionInput): Promise<VersionAnswer> {
    const preset = await this.#presets.get(owner, id);
    const { model = preset.model, system = preset.system, params = preset.params, prompt } = input;
    const text = paramsText(params);
    const size = model.length + (system ?? '').length + prompt.length + text.length;
    const made = await this.#room.write({ owner, size }, async () => {
      if ((await this.#versions.countDocuments({ preset: id })) >= this.#most)
        throw errors.too_many_versions({ values: { limit: this.#most } });
      const version = await this.#presets.nextVersion(owner, id);
      const one: VersionDocument = {
        _id: `${id} ${version}`,
        owner,
        preset: id,
        version,
        model,
        system,
        prompt,
        params: text,
        size,
        createdAt: new Date(this.#clock.now()),
      };
      await this.#versions.insertOne(one);
      return one;
    });
    if (label !== undefined) await this.#point(owner, id, label, made.version);
    return toAnswer(made, label === undefined ? [] : [label]);
  }

  /** Newest first. */
  async list(owner: string, id: string): Promise<VersionAnswer[]> {
    await this.#presets.get(owner, id);
    const labels = await this.#labelsOf(id);
    const versions: VersionAnswer[] = [];
    for await (const one of this.#versions.find({ preset: id }, { sort: { version: -1 } })) {
      versions.push(toAnswer(one, labels.get(one.version)));
      if (turnIsOver()) await nextTurn();
    }
    return versions;
  }

  /** By number or label; undefined: the newest. */
  async get(owner: string, id: string, name?: string | number): Promise<VersionAnswer> {
    await this.#presets.get(owner, id);
    const one =
      name === undefined
        ? await this.#versions.findOne({ preset: id }, { sort: { version: -1 } })
        : await this.#versions.findOne({ preset: id, version: await this.#numberOf(id, name) });
    if (one === null)
      throw name === undefined ? errors.no_version({ values: { id } }) : notFound(id, String(name));
    return toAnswer(one, (await this.#labelsOf(id)).get(one.version));
  }

  /** Refused while a label is on it: callers rely on the label. */
  async delete(owner: string, id: string, name: string): Promise<void> {
    const { version, labels } = await this.get(owner, id, name);
    const [label] = labels;
    if (label !== undefined) throw errors.version_labelled({ values: { version, label } });
    await this.#versions.deleteOne({ _id: `${id} ${version}` });
  }

  /** Moves the label. */
  async label(owner: string, id: string, label: string, version: number): Promise<VersionAnswer> {
    await this.get(owner, id, version);
    await this.#point(owner, id, label, version);
    return this.get(owner, id, version);
  }

  async unlabel(owner: string, id: string, label: string): Promise<void> {
    await this.#presets.get(owner, id);
    if ((await this.#labels.deleteOne({ _id: `${id} ${label}` })) === 0) throw notFound(id, label);
  }

  async deleteOf(preset: string): Promise<void> {
    await this.#labels.deleteMany({ preset });
    await this.#versions.deleteMany({ preset });
  }

  /** Returns how many there were. */
  async erase(owners: readonly string[]): Promise<number> {
    const theirs = { owner: { $in: [...owners] } };
    return (await this.#labels.deleteMany(theirs)) + (await this.#versions.deleteMany(theirs));
  }

  async #point(owner: string, preset: string, label: string, version: number): Promise<void> {
    const one: LabelDocument = { _id: `${preset} ${label}`, owner, preset, label, version };
    const moved = await this.#labels.updateOne({ _id: one._id }, { $set: { version } });
    if (moved.matched === 0 && !(await insertWithin(this.#labels, one, { preset }, MOST_LABELS)))
      throw errors.too_many_labels({ values: { limit: MOST_LABELS } });
  }

  async #numberOf(preset: string, name: string | number): Promise<number> {
    if (/^\d{1,9}$/.test(String(name))) return Number(name);
    const label = await this.#labels.findOne({ _id: `${preset} ${name}` });
    if (label === null) throw notFound(preset, String(name));
    return label.version;
  }

  async #labelsOf(preset: string): Promise<Map<number, string[]>> {
    const labels = new Map<number, string[]>();
    for (const { label, version } of await this.#labels.find({ preset }, { sort: { _id: 1 } }).toArray())
      labels.set(version, [...(labels.get(version) ?? []), label]);
    return labels;
  }
}

function toAnswer(one: VersionDocument, labels: readonly string[] = []): VersionAnswer {
  const { version, model, system, prompt, params, createdAt } = one;
  return {
    version,
    labels: [...labels],
    model,
    system,
    prompt,
    params: JSON.parse(params) as Record<string, unknown>,
    variables: variablesIn(system ?? '', prompt),
    created_at: createdAt.toISOString(),
  };
}

function notFound(id: string, name: string): Error {
  return errors.version_not_found({ values: { id, version: name.slice(0, 100) } });
}
