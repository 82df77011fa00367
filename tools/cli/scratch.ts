/** A plan whose folders are empty ones of its own: what is set up only to be looked at leaves nothing behind. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersOf } from '../../kernel/boot/plan/folders.js';
import type { Plan } from '../../kernel/boot/plan/prepare.js';

export interface Scratch {
  readonly plan: Plan;
  remove(): Promise<void>;
}

export async function scratchOf(plan: Plan): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-'));
  const instances = plan.instances.map((instance) => {
    const config = structuredClone(instance.config);
    for (const { path } of foldersOf(instance, plan.baseDir))
      // The first two steps lead to the entry.
      replace(config, path.slice(2), join(folder, path.join('-')));
    return { ...instance, config };
  });
  return { plan: { ...plan, instances }, remove: () => rm(folder, { recursive: true, force: true }) };
}

function replace(value: unknown, path: readonly (string | number)[], by: string): void {
  const [step = '', ...rest] = path;
  const part = value as Record<string | number, unknown>;
  if (rest.length === 0) part[step] = by;
  else replace(part[step], rest, by);
}
