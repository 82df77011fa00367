/** Which embedding source the settings select. Pure; a selected source may still fail. */
import type { Settings } from '../settings/settings.js';

export type SourceName = 'remote' | 'transformers' | 'static';

export interface SourceChoice {
  readonly source: SourceName;
  /** Identifies the vector space: vectors of different models are never compared. */
  readonly model: string;
}

/** Sources available on this server. */
export interface Installed {
  /** Whether an enabled plugin provides models. */
  readonly router: boolean;
  /** The model of the configured directory. */
  readonly transformers: string | null;
  readonly static: string;
}

export interface Resolution {
  /** In the order they are tried; more than one only under `auto`. */
  readonly choices: readonly SourceChoice[];
  /** Why there is no choice, or why a source that the settings name is not among them. */
  readonly reason: string | null;
}

type EmbeddingSettings = Pick<
  Settings,
  'embeddingSource' | 'embeddingProviderModel' | 'transformersEnabled' | 'staticEnabled'
>;

export function resolveSources(settings: EmbeddingSettings, installed: Installed): Resolution {
  const wanted: readonly SourceName[] =
    settings.embeddingSource === 'auto' ? ['remote', 'transformers', 'static'] : [settings.embeddingSource];
  const choices: SourceChoice[] = [];
  const reasons: string[] = [];
  for (const source of wanted) {
    const model = modelOf(source, settings, installed);
    if (typeof model === 'string') choices.push({ source, model });
    else reasons.push(model.missing);
  }
  return { choices, reason: choices.length === 0 ? `no_embedding_source: ${reasons.join('; ')}` : null };
}

function modelOf(
  source: SourceName,
  settings: EmbeddingSettings,
  installed: Installed,
): string | { missing: string } {
  switch (source) {
    case 'remote':
      if (settings.embeddingProviderModel === null) return { missing: 'embeddingProviderModel is not set' };
      if (!installed.router) return { missing: 'no plugin provides models' };
      return settings.embeddingProviderModel;
    case 'transformers':
      if (!settings.transformersEnabled) return { missing: 'transformersEnabled is false' };
      return installed.transformers ?? { missing: 'transformers is not configured' };
    case 'static':
      return settings.staticEnabled ? installed.static : { missing: 'staticEnabled is false' };
  }
}
