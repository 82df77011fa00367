/** A copy of a plan that writes to temporary folders only, for listing its commands. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDefaults } from '../../kernel/config/defaults.js';
import { namedPaths } from '../../kernel/boot/plan/named-paths.js';
import { loadPlugin } from '../../kernel/boot/plan/load.js';
import type { Instance } from '../../kernel/boot/plan/order.js';
import type { Plan } from '../../kernel/boot/plan/prepare.js';
import { builtins } from '../../plugins/index.js';
import { isStore } from './command-socket/address.js';

export interface Scratch {
  /** With empty folders; the embedded store replaces a database. */
  readonly plan: Plan;
  /** Whether a store is replaced. */
  readonly standsIn: boolean;
  remove(): Promise<void>;
}

export async function scratchOf(plan: Plan): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-'));
  const shared = plan.instances.find(
    (one) => isStore(one) && namedPaths('folder', one, plan.baseDir).length === 0,
  );
  const standIn = shared && (await embeddedInPlaceOf(shared));
  const instances = plan.instances.map((one) => (one === shared ? (standIn ?? one) : one));
  return {
    plan: { ...plan, instances: instances.map((one) => withFolders(one, plan.baseDir, folder)) },
    standsIn: shared !== undefined,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function embeddedInPlaceOf(shared: Instance): Promise<Instance> {
  const definition = await loadPlugin('embedded', builtins.providers.storage.fillers, '');
  const config = {};
  fillDefaults(definition.config, config);
  return { ...shared, definition, config };
}

function withFolders(instance: Instance, baseDir: string, folder: string): Instance {
  const config = structuredClone(instance.config);
  for (const { path } of namedPaths('folder', instance, baseDir))
    // The first two steps lead to the entry.
    replace(config, path.slice(2), join(folder, path.join('-')));
  return { ...instance, config };
}

function replace(value: unknown, path: readonly (string | number)[], by: string): void {
  const [step = '', ...rest] = path;
  const part = value as Record<string | number, unknown>;
  if (rest.length === 0) part[step] = by;
  else replace(part[step], rest, by);
}
