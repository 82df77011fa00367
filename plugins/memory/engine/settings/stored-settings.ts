/** Settings in storage: read for every request, so that all instances agree. */
import type { Collection, Document, Storage } from 'plugboard/sdk';
import type { Settings, SettingsPatch } from './settings.js';

export const DEFAULTS: Settings = Object.freeze({
  enabled: true,
  maxTokens: 2000,
  retentionDays: 30,
  strategy: 'hybrid',
  skillsEnabled: true,
  embeddingSource: 'auto',
  embeddingProviderModel: null,
  transformersEnabled: false,
  staticEnabled: true,
  rerankEnabled: false,
  rerankProviderModel: null,
  vectorStore: 'auto',
});

type SettingsDocument = Document & Partial<Settings>;

export class StoredSettings {
  readonly #documents: Collection<SettingsDocument>;
  readonly #ofCalls = new WeakMap<object, Promise<Settings>>();

  constructor(storage: Storage) {
    this.#documents = storage.collection<SettingsDocument>({ name: 'settings' });
  }

  async read(): Promise<Settings> {
    return withDefaults(await this.#documents.findOne({ _id: 'memory' }));
  }

  /** The same, read once per call. */
  of(call: object): Promise<Settings> {
    const settings = this.#ofCalls.get(call) ?? this.read();
    this.#ofCalls.set(call, settings);
    return settings;
  }

  /** Changes what `patch` names, in one write, and returns all settings. */
  async change(patch: SettingsPatch): Promise<Settings> {
    if (Object.keys(patch).length === 0) return this.read();
    const stored = await this.#documents.findOneAndUpdate(
      { _id: 'memory' },
      { $set: patch },
      { upsert: true },
    );
    return withDefaults(stored);
  }
}

function withDefaults(stored: SettingsDocument | null): Settings {
  const settings: Record<string, unknown> = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS)) {
    const value = stored?.[name as keyof Settings];
    if (value !== undefined) settings[name] = value;
  }
  return settings as Settings;
}
