/**
 * Everything that can be known before starting: read > expand > load > validate > plan. No side effects. Each
 * phase collects all its problems; `plugboard check` stops after the last one.
 */
import { expandConfig, expandedKey, type Expansion } from '../../config/expand.js';
import { isMapping } from '../../config/merge.js';
import { marked, plainNumbers } from '../../config/marks.js';
import { MovedKeys } from '../../config/moved.js';
import type { ConfigPath, Position, Problem, SchemaProblem } from '../../config/problem.js';
import type { ConfigSource } from '../../config/read.js';
import {
  EntryKeys,
  FileConfig,
  RESERVED_KEYS,
  splitEntry,
  type LogConfig,
  type ServerConfig,
} from '../../config/shape.js';
import { validateValue, type ValidationInput } from '../../config/validate.js';
import { Certificate } from '../../http/listener/tls.js';
import { loadPlugin, LoadError } from './load.js';
import { configInForce, type InForce } from './in-force.js';
import { fileProblem, folderProblem, namedPaths } from './named-paths.js';
import { planOrder, type Instance } from './order.js';
import { scopeProblems } from './scopes.js';
import type { PluginDefinition } from '../../sdk/plugin/plugin.js';
import type { Token } from '../../sdk/plugin/token.js';
import {
  CLOCK,
  ERRORS,
  METRICS,
  OBSERVERS,
  PAGES,
  PEOPLE,
  SCOPES,
  SLOW_READERS,
} from '../../sdk/services/tokens.js';
import { slots, type BuiltIns, type Slot } from './slots.js';

/** The services that the kernel provides itself. */
const CORE_TOKENS: readonly Token<unknown>[] = [
  CLOCK,
  METRICS,
  OBSERVERS,
  PAGES,
  PEOPLE,
  SCOPES,
  SLOW_READERS,
];

/** A config without problems, ready to boot. */
export interface Plan {
  readonly server: ServerConfig;
  readonly log: LogConfig;
  readonly baseDir: string;
  /** Texts under keys that a schema marks `secret`, which the log masks. */
  readonly secrets: readonly string[];
  /** In the order of their set-up. */
  readonly instances: readonly Instance[];
  /** To be shown. */
  readonly inForce: InForce;
}

export interface PrepareInput {
  readonly source: ConfigSource;
  readonly builtins: BuiltIns;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the config file, absolute. */
  readonly baseDir: string;
  /** Whether the schemas of built-ins are checked too. */
  readonly testing?: boolean;
}

export interface Prepared {
  /** Absent when there is a problem of severity `error`. */
  readonly plan?: Plan;
  readonly problems: readonly Problem[];
  /** Where the config holds values of keys that a schema marks `secret`. */
  readonly secrets: readonly Position[];
}

export async function prepare(input: PrepareInput): Promise<Prepared> {
  const preparation = new Preparation(input);
  const plan = await preparation.plan();
  const { problems, secretPaths, plainPaths } = preparation;
  const secrets = input.source.secrets(secretPaths, plainPaths);
  return { problems, secrets, ...(plan && { plan }) };
}

type Section = Instance['section'];
type Entry = Record<string, unknown> | null;

class Preparation {
  readonly problems: Problem[] = [];
  readonly secretPaths: ConfigPath[] = [];
  readonly plainPaths: ConfigPath[] = [];
  readonly #secrets: string[] = [];
  readonly #moved = new MovedKeys();
  readonly #input: PrepareInput;
  readonly #expansion: Expansion;

  constructor(input: PrepareInput) {
    this.#input = input;
    this.#expansion = expandConfig(input.source.value, input);
  }

  /** Undefined when there is a problem of severity `error`. */
  async plan(): Promise<Plan | undefined> {
    const { value, problems } = this.#expansion;
    for (const { path, message } of problems) this.#refuse(path, 'value', message);
    await this.#check({ schema: FileConfig, value, path: [], tested: true });
    const instances = await this.#instances();
    if (this.#failed()) return undefined;
    const { order, problems: unplanned } = planOrder(instances, CORE_TOKENS);
    for (const { instance, message } of [...unplanned, ...scopeProblems(instances)])
      this.#refuse([instance.section, instance.id], 'key', message);
    if (!instances.some(({ definition }) => providesToken(definition, ERRORS)))
      this.#refuse(['providers', 'errors'], 'key', `the server needs ${ERRORS.id}, which nothing provides`);
    if (this.#failed()) return undefined;
    const { server, log } = value as FileConfig;
    for (const [mark, problemOf] of [
      ['folder', folderProblem],
      ['file', fileProblem],
    ] as const)
      for (const instance of order)
        for (const { path, absolute } of namedPaths(mark, instance, this.#input.baseDir)) {
          const problem = problemOf(absolute);
          if (problem !== undefined) this.#refuse(path, 'value', problem);
        }
    const certificate = server.tls && new Certificate(server.tls, this.#input.baseDir);
    const problem = await certificate?.problem();
    if (problem !== undefined) this.#refuse(['server', 'tls'], 'value', problem);
    if (this.#failed()) return undefined;
    const { source, baseDir } = this.#input;
    const shown = {
      server,
      log,
      instances: order,
      source,
      expanded: this.#expansion.expanded,
      secrets: this.#secrets,
    };
    return {
      server,
      log,
      baseDir,
      secrets: this.#secrets,
      instances: order,
      inForce: configInForce(shown),
    };
  }

  /**
   * Plugins first, then the providers: a provider that the file does not name is added only if something needs it.
   * A slot may need those after it.
   */
  async #instances(): Promise<Instance[]> {
    const plugins: Instance[] = [];
    for (const [id, entry] of this.#entries('plugins')) {
      if (slots.some(({ name }) => name === id)) {
        const message = `"${id}" is the name of a provider; give the plugin another key and say use: ${id}`;
        this.#refuse(['plugins', id], 'key', message);
      } else plugins.push(...(await this.#instance('plugins', id, entry, id)));
    }
    const named = this.#entries('providers');
    const providers: Instance[] = [];
    for (const slot of slots) {
      const entry = named.get(slot.name);
      if (entry === undefined && !isMissing(slot, [...plugins, ...providers])) continue;
      const { default: fallback } = this.#input.builtins.providers[slot.name];
      providers.unshift(...(await this.#instance('providers', slot.name, entry ?? null, fallback, slot)));
    }
    return [...providers, ...plugins];
  }

  /** As far as the shape of the file allows: a broken part must not hide problems of the others. */
  #entries(section: Section): Map<string, Entry> {
    const { value } = this.#expansion;
    const entries = isMapping(value) && isMapping(value[section]) ? value[section] : {};
    const isEntry = (pair: [string, unknown]): pair is [string, Entry] =>
      pair[1] === null || isMapping(pair[1]);
    return new Map(Object.entries(entries).filter(isEntry));
  }

  /** None if the entry is not enabled or has a problem. `fallback`: what to load if the entry does not say. */
  async #instance(
    section: Section,
    id: string,
    entry: Entry,
    fallback: string,
    slot?: Slot,
  ): Promise<Instance[]> {
    const path = [section, id];
    const { kernel: keys, own } = splitEntry(entry);
    await this.#check({ schema: EntryKeys, value: keys, path, tested: true });
    if (keys['enabled'] === false) return [];
    const use = typeof keys['use'] === 'string' ? keys['use'] : fallback;
    for (const surplus of this.#moved.give(own, path))
      this.#refuse(surplus, 'key', `"${path.join('.')}" says it too; remove this one`);
    try {
      const { definition, tested } = await this.#load(use, slot);
      const schema = definition.config;
      await this.#check({ schema, value: own, path, tested, reserved: RESERVED_KEYS });
      for (const secret of marked('secret', definition.config, own, path)) {
        this.secretPaths.push(secret.path);
        this.#secrets.push(...textsIn(secret.value));
      }
      this.plainPaths.push(...plainNumbers(definition.config, own, path));
      this.#checkFurther(definition, own, path);
      this.#moved.take(schema, own, path);
      const { prefix = definition.prefix ?? '', optional = false } = keys as EntryKeys;
      return [
        { id, section, definition, config: own, prefix: prefix === '/' ? '' : prefix, optional, tested },
      ];
    } catch (error) {
      if (!(error instanceof LoadError)) throw error;
      if (entry?.['use'] === undefined) this.#refuse(path, 'key', error.message);
      else this.#refuse([...path, 'use'], 'value', error.message);
      return [];
    }
  }

  async #load(use: string, slot: Slot | undefined): Promise<Pick<Instance, 'definition' | 'tested'>> {
    const { plugins, providers } = this.#input.builtins;
    const builtins = { ...(slot && providers[slot.name].fillers), ...plugins };
    const definition = await loadPlugin(use, builtins, this.#input.baseDir);
    const missing = slot?.provides.find((token) => !providesToken(definition, token));
    if (missing !== undefined)
      throw new LoadError(
        `"${use}" does not provide ${missing.id}, so it cannot be the ${slot?.name} provider`,
      );
    const tested = Object.hasOwn(builtins, use) && this.#input.testing !== true;
    try {
      if (!tested) (await import('../../config/compile.js')).compileSchema(definition.config);
    } catch (error) {
      throw new LoadError(`the config schema of "${use}" does not compile: ${(error as Error).message}`);
    }
    return { definition, tested };
  }

  async #check(input: Omit<ValidationInput, 'expanded'>): Promise<void> {
    const { expanded } = this.#expansion;
    for (const problem of await validateValue({ ...input, expanded })) {
      // A value that could not be expanded is already a problem; a second one from its schema adds nothing.
      if (!this.#expansion.problems.some(({ path: at }) => expandedKey(at) === expandedKey(problem.path)))
        this.#report(problem);
    }
  }

  #checkFurther(definition: PluginDefinition, own: Record<string, unknown>, path: ConfigPath): void {
    const isOwn = (problem: Problem): boolean => path.every((step, at) => problem.path[at] === step);
    if (definition.configFaults === undefined || this.problems.some(isOwn)) return;
    for (const fault of definition.configFaults(own))
      this.#refuse([...path, ...fault.path], 'value', fault.message);
  }

  #refuse(path: ConfigPath, part: 'key' | 'value', message: string): void {
    this.#report({ severity: 'error', path, part, message });
  }

  #report({ severity, path, part, message }: SchemaProblem): void {
    const written = this.#moved.written(path);
    this.problems.push({
      severity,
      path: written,
      message,
      position: this.#input.source.locate(written, part),
    });
  }

  #failed(): boolean {
    return this.problems.some(({ severity }) => severity === 'error');
  }
}

/** Whether to fill a slot that the file does not name: something needs a service that nothing else provides. */
function isMissing(slot: Slot, instances: readonly Instance[]): boolean {
  if (slot.always) return true;
  const used = instances.flatMap(({ definition: { needs, wants } }) => Object.values({ ...needs, ...wants }));
  return slot.provides.some(
    (token) =>
      used.some(({ id }) => id === token.id) &&
      !instances.some(({ definition }) => providesToken(definition, token)),
  );
}

function providesToken({ provides = {} }: PluginDefinition, { id }: Token<unknown>): boolean {
  return Object.values(provides).some((token) => token.id === id);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
