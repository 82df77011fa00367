/** The examples of each preset, replaced as a whole. */
import type { Collection, Document, Storage } from 'plugboard/sdk';
import type { SchemaChecker } from '../checks/schema-checker.js';
import { errors } from '../errors.js';
import type { Presets } from '../presets.js';
import type { Room } from '../room.js';
import type { Example } from './schema.js';

/** `_id`: the preset's. */
interface ExamplesDocument extends Document {
  readonly owner: string;
  /** JSON, as names of variables are arbitrary. */
  readonly examples: string;
  readonly size: number;
}

export class Examples {
  readonly #documents: Collection<ExamplesDocument>;
  readonly #parts: { readonly presets: Presets; readonly room: Room; readonly schemas: SchemaChecker };

  constructor(storage: Storage, parts: { presets: Presets; room: Room; schemas: SchemaChecker }) {
    this.#documents = storage.collection<ExamplesDocument>({
      name: 'examples',
      indexes: [{ keys: { owner: 1 } }],
    });
    parts.room.count(this.#documents);
    this.#parts = parts;
  }

  async get(owner: string, preset: string): Promise<Example[]> {
    await this.#parts.presets.get(owner, preset);
    const found = await this.#documents.findOne({ _id: preset });
    return found === null ? [] : (JSON.parse(found.examples) as Example[]);
  }

  async replace(owner: string, preset: string, examples: readonly Example[]): Promise<void> {
    const { presets, room, schemas } = this.#parts;
    await presets.get(owner, preset);
    const checks = schemasIn(examples);
    const fault = await schemas.faultIn(checks.map(({ schema }) => schema));
    if (fault !== null) {
      const param = checks[fault.schema ?? 0]?.param ?? null;
      throw errors.invalid_request({ values: { message: `${param}: ${fault.reason}` }, param });
    }
    const text = JSON.stringify(examples);
    const document = { _id: preset, owner, examples: text, size: text.length };
    await room.write({ owner, size: text.length, replaced: preset }, () =>
      this.#documents.replaceOne({ _id: preset }, document, { upsert: true }),
    );
  }

  async deleteOf(preset: string): Promise<void> {
    await this.#documents.deleteOne({ _id: preset });
  }

  erase(owners: readonly string[]): Promise<number> {
    return this.#documents.deleteMany({ owner: { $in: [...owners] } });
  }
}

function schemasIn(examples: readonly Example[]): { readonly param: string; readonly schema: string }[] {
  return examples.flatMap(({ checks }, at) =>
    checks.flatMap((check, of) =>
      check.kind === 'json_schema'
        ? [{ param: `examples.${at}.checks.${of}.schema`, schema: JSON.stringify(check.schema) }]
        : [],
    ),
  );
}
