/** Merges several config files: a later file overrides those before it. */
import type { ConfigPath } from './problem.js';
import type { ConfigSource, Located } from './read.js';

/** Maps merge; lists and scalars are replaced; null removes the earlier value. */
export function mergeConfigs(sources: readonly [ConfigSource, ...ConfigSource[]]): ConfigSource {
  const [first, ...others] = sources;
  if (others.length === 0) return first;
  return {
    files: sources.flatMap(({ files }) => files),
    value: others.reduce<unknown>((value, source) => merge(value, source.value), first.value),
    locate: (path, part) => {
      // The last file that goes deepest towards the place.
      let best: Located | undefined;
      for (const source of sources) {
        const found = source.locate(path, part);
        if (found !== undefined && found.depth >= (best?.depth ?? 0)) best = found;
      }
      return best;
    },
    secrets: (paths: readonly ConfigPath[], plain: readonly ConfigPath[] = []) =>
      sources.flatMap((source) => source.secrets(paths, plain)),
  };
}

function merge(below: unknown, above: unknown): unknown {
  if (!isMapping(below) || !isMapping(above)) return above;
  const merged = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === null && Object.hasOwn(below, key)) delete merged[key];
    else merged[key] = Object.hasOwn(below, key) ? merge(below[key], value) : value;
  }
  return merged;
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
