/**
 * Everything that can be known before starting: read > expand > load > validate > plan. No side effects. Each
 * phase collects all its problems; `plugboard check` stops behind the last one.
 */
import { expandConfig, expandedKey } from './config/expand.js';
import type { ConfigPath, Problem } from './config/problem.js';
import type { ConfigSource } from './config/read.js';
import {
  EntryKeys,
  FileConfig,
  RESERVED_KEYS,
  splitEntry,
  type LogConfig,
  type ServerConfig,
} from './config/shape.js';
import { validateValue, type SchemaProblem } from './config/validate.js';
import { loadPlugin, LoadError, type Builtins } from './load.js';
import { planOrder, type Instance } from './plan.js';
import { slots, type Slot } from './providers/index.js';
import type { PluginDefinition } from './sdk/plugin.js';
import { CORE_TOKENS } from './core.js';

/** A config without problems, ready to boot. */
export interface Plan {
  readonly server: ServerConfig;
  readonly log: LogConfig;
  readonly baseDir: string;
  /** In the order of their set-up. */
  readonly instances: readonly Instance[];
}

export interface PrepareInput {
  readonly source: ConfigSource;
  readonly builtins: Builtins;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the config file, absolute. */
  readonly baseDir: string;
}

export interface Prepared {
  /** Absent when there is a problem of severity `error`. */
  readonly plan?: Plan;
  readonly problems: readonly Problem[];
  /** See `Expansion.expanded`. */
  readonly expanded: ReadonlySet<string>;
}

type Report = (problem: SchemaProblem) => void;
type Check = (schema: object, value: unknown, path: ConfigPath, reserved?: readonly string[]) => void;

export async function prepare(input: PrepareInput): Promise<Prepared> {
  const { source } = input;
  const problems: Problem[] = [];
  const unexpanded = new Set<string>();
  const report: Report = ({ severity, path, part, message }) => {
    // A value that could not be expanded is already a problem; what a schema says of its place is noise.
    if (!unexpanded.has(expandedKey(path)))
      problems.push({ severity, path, message, position: source.locate(path, part) });
  };
  const failed = (): boolean => problems.some(({ severity }) => severity === 'error');

  const expansion = expandConfig(source.value, input);
  for (const { path, message } of expansion.problems) {
    report({ severity: 'error', path, part: 'value', message });
    unexpanded.add(expandedKey(path));
  }

  const check: Check = (schema, value, path, reserved) =>
    validateValue({
      schema,
      value,
      path,
      expanded: expansion.expanded,
      ...(reserved && { reserved }),
    }).forEach(report);

  check(FileConfig, expansion.value, []);
  const file = entriesOf(expansion.value);
  const instances = await instancesOf(file, input, check, report);

  if (failed()) return { problems, expanded: expansion.expanded };
  const { order, problems: unplanned } = planOrder(instances, CORE_TOKENS);
  for (const { instance, message } of unplanned) {
    report({ severity: 'error', path: [instance.section, instance.id], part: 'key', message });
  }
  if (failed()) return { problems, expanded: expansion.expanded };
  const { server, log } = expansion.value as FileConfig;
  return {
    problems,
    expanded: expansion.expanded,
    plan: { server, log, baseDir: input.baseDir, instances: order },
  };
}

/** The entries of the file, as far as its shape allows: a broken part must not hide the problems of the others. */
function entriesOf(value: unknown): { providers: Map<string, Entry>; plugins: Map<string, Entry> } {
  const section = (name: string): Map<string, Entry> => {
    const entries = isMapping(value) ? value[name] : undefined;
    if (!isMapping(entries)) return new Map();
    return new Map(
      Object.entries(entries).filter(
        (pair): pair is [string, Entry] => pair[1] === null || isMapping(pair[1]),
      ),
    );
  };
  return { providers: section('providers'), plugins: section('plugins') };
}

type Entry = Record<string, unknown> | null;
type FileEntries = ReturnType<typeof entriesOf>;

/**
 * Plugins first, then the providers: a provider that the file does not name is there for those that need it,
 * and only then. The slots stand in the order in which they may need each other.
 */
async function instancesOf(
  file: FileEntries,
  input: PrepareInput,
  check: Check,
  report: Report,
): Promise<Instance[]> {
  const plugins: Instance[] = [];
  for (const [id, entry] of file.plugins) {
    if (slots.some(({ name }) => name === id)) {
      const message = `"${id}" is the name of a provider; give the plugin another key and say use: ${id}`;
      report({ severity: 'error', path: ['plugins', id], part: 'key', message });
      continue;
    }
    const instance = await instanceOf({ section: 'plugins', id, entry, use: id }, input, check, report);
    if (instance !== undefined) plugins.push(instance);
  }
  const providers: Instance[] = [];
  for (const slot of slots) {
    const entry = file.providers.get(slot.name);
    if (entry === undefined && !slot.always && !isUsed(slot, [...plugins, ...providers])) continue;
    const place = {
      section: 'providers',
      id: slot.name,
      entry: entry ?? null,
      use: slot.default,
      slot,
    } as const;
    const instance = await instanceOf(place, input, check, report);
    if (instance !== undefined) providers.unshift(instance);
  }
  return [...providers, ...plugins];
}

function isUsed(slot: Slot, instances: readonly Instance[]): boolean {
  const used = instances.flatMap(({ definition: { needs = {}, wants = {} } }) => [
    ...Object.values(needs),
    ...Object.values(wants),
  ]);
  return slot.provides.some((token) => used.some(({ id }) => id === token.id));
}

interface Place {
  readonly section: 'providers' | 'plugins';
  readonly id: string;
  readonly entry: Entry;
  /** What to load when the entry does not say. */
  readonly use: string;
  readonly slot?: Slot;
}

async function instanceOf(
  place: Place,
  input: PrepareInput,
  check: Check,
  report: Report,
): Promise<Instance | undefined> {
  const { section, id, entry, slot } = place;
  const path = [section, id];
  const { kernel: keys, own } = splitEntry(entry);
  check(EntryKeys, keys, path);
  if (keys['enabled'] === false) return undefined;
  const use = typeof keys['use'] === 'string' ? keys['use'] : place.use;
  const usePath = use === place.use && entry?.['use'] === undefined ? path : [...path, 'use'];
  const definition = await loadOrReport(use, slot, input, usePath, report);
  if (definition === undefined) return undefined;
  try {
    check(definition.config, own, path, RESERVED_KEYS);
  } catch (error) {
    const message = `the config schema of "${use}" does not compile: ${(error as Error).message}`;
    report({ severity: 'error', path, part: 'key', message });
    return undefined;
  }
  const { prefix = '', optional = false } = keys as EntryKeys;
  return { id, section, definition, config: own, prefix, optional };
}

async function loadOrReport(
  use: string,
  slot: Slot | undefined,
  { builtins, baseDir }: PrepareInput,
  path: ConfigPath,
  report: Report,
): Promise<PluginDefinition | undefined> {
  try {
    const definition = await loadPlugin(use, { ...builtins, ...slot?.builtins }, baseDir);
    const missing = slot?.provides.find(
      ({ id }) => !Object.values(definition.provides ?? {}).some((token) => token.id === id),
    );
    if (missing === undefined) return definition;
    report({
      severity: 'error',
      path,
      part: 'value',
      message: `"${use}" does not provide ${missing.id}, so it cannot be the ${slot?.name} provider`,
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    report({
      severity: 'error',
      path,
      part: path.at(-1) === 'use' ? 'value' : 'key',
      message: error.message,
    });
  }
  return undefined;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
