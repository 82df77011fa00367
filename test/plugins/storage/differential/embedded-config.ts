/** An embedded store in a folder that goes with the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { StoreConfig } from '../../../support/stores.js';

export async function embeddedConfig(context: TestContext): Promise<StoreConfig> {
  const path = await mkdtemp(join(tmpdir(), 'plugboard-store-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return { use: 'embedded', path };
}
