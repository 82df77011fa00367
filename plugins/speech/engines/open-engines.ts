/** The engines that the config names, in its order. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedEngine } from './embedded/embedded.js';
import type { Engine } from './engine.js';
import { UpstreamEngine, type UpstreamSettings } from './upstream/upstream.js';

/** The engine is a package of its own, beside the compiled project. */
export const PROGRAM = fileURLToPath(new URL('../../../../engines/espeak-ng/main.js', import.meta.url));

export interface EngineSettings {
  readonly engines: readonly string[];
  readonly embedded: { readonly workers: number; readonly program?: string };
  readonly upstreams: readonly (Omit<UpstreamSettings, 'apiKey'> & { readonly apiKey?: string })[];
}

/** For a config without faults (`configFaults`), whose paths are relative to `baseDir`. */
export function openEngines({ engines, embedded, upstreams }: EngineSettings, baseDir: string): Engine[] {
  return Array.from(new Set(engines), (name) => {
    const upstream = upstreams.find((candidate) => candidate.name === name);
    if (upstream !== undefined) return new UpstreamEngine({ ...upstream, apiKey: upstream.apiKey });
    if (name !== 'embedded') throw new TypeError(`there is no engine "${name}"`);
    const { program, workers } = embedded;
    return new EmbeddedEngine(program === undefined ? PROGRAM : resolve(baseDir, program), workers);
  });
}
