/** The configured engines, in the config's order. */
import { resolve } from 'node:path';
import { EmbeddedEngine } from './embedded/embedded.js';
import { findProgram } from './embedded/program.js';
import type { Engine } from './engine.js';
import { UpstreamEngine, type UpstreamSettings } from './upstream/upstream.js';

export interface EngineSettings {
  readonly engines: readonly string[];
  readonly embedded: { readonly workers: number; readonly program?: string };
  readonly upstreams: readonly (Omit<UpstreamSettings, 'apiKey'> & { readonly apiKey?: string })[];
}

/**
 * For a config without faults (`configFaults`), whose paths are relative to `baseDir`. Without its package the embedded
 * engine is skipped, and the others work.
 */
export function openEngines({ engines, embedded, upstreams }: EngineSettings, baseDir: string): Engine[] {
  return [...new Set(engines)].flatMap((name): Engine[] => {
    const upstream = upstreams.find((candidate) => candidate.name === name);
    if (upstream !== undefined) return [new UpstreamEngine({ ...upstream, apiKey: upstream.apiKey })];
    if (name !== 'embedded') throw new TypeError(`there is no engine "${name}"`);
    const program =
      embedded.program === undefined ? findProgram(baseDir) : resolve(baseDir, embedded.program);
    return program === undefined ? [] : [new EmbeddedEngine(program, embedded.workers)];
  });
}
