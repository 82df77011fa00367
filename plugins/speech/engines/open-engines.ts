/** The engines that the config names, in its order. */
import { EmbeddedEngine } from './embedded/embedded.js';
import type { Engine } from './engine.js';
import { UpstreamEngine, type UpstreamSettings } from './upstream/upstream.js';

export interface EngineSettings {
  readonly engines: readonly string[];
  readonly embedded: { readonly workers: number; readonly program?: string };
  readonly upstreams: readonly (Omit<UpstreamSettings, 'apiKey'> & { readonly apiKey?: string })[];
}

/** `program` is the embedded engine's main file. For a config without faults (`configFaults`). */
export function openEngines({ engines, embedded, upstreams }: EngineSettings, program: string): Engine[] {
  return Array.from(new Set(engines), (name) => {
    const upstream = upstreams.find((candidate) => candidate.name === name);
    if (upstream !== undefined) return new UpstreamEngine({ ...upstream, apiKey: upstream.apiKey });
    if (name === 'embedded') return new EmbeddedEngine(program, embedded.workers);
    throw new TypeError(`there is no engine "${name}"`);
  });
}
