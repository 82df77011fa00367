/** Providers that have embedding models. */
import type { ModelInfo, Static } from 'plugboard/sdk';
import type { EmbeddingProviders } from '../schema/engine.js';

type Answer = Static<typeof EmbeddingProviders>;

export function embeddingProviders(models: readonly ModelInfo[]): Answer {
  const providers = new Map<string, Answer['providers'][number]>();
  for (const { id, upstream, kind, dimensions, hasKey } of models) {
    if (kind !== 'embedding') continue;
    const provider = upstream ?? id.split('/')[0] ?? id;
    const known = providers.get(provider) ?? { provider, hasKey: false, models: [] };
    known.models.push({ id, name: id.slice(id.indexOf('/') + 1), dimensions });
    providers.set(provider, { ...known, hasKey: known.hasKey || hasKey });
  }
  return { providers: [...providers.values()] };
}
