/** Memories through the `mem0ai` package of PyPI, where a Python has it: `PLUGBOARD_TEST_PYTHON` names one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { bootTest } from 'plugboard/testing';
import memory from '../../../plugins/memory/index.js';
import { root } from '../../support/fixtures.js';

const run = promisify(execFile);
const python = process.env['PLUGBOARD_TEST_PYTHON'] ?? 'python3';
// The package takes seconds to load: whether it is there is asked without.
const find = 'import importlib.util as u, sys; sys.exit(u.find_spec("mem0") is None)';
const skip = await run(python, ['-c', find]).then(
  () => false,
  () => `no mem0ai for ${python}`,
);

test("mem0's client of Python adds, finds, changes and deletes", { skip }, async (t) => {
  const server = await bootTest({ plugins: [{ plugin: memory }] });
  t.after(() => server.stop());
  const MEM0_DIR = await mkdtemp(join(tmpdir(), 'plugboard-mem0-'));
  t.after(() => rm(MEM0_DIR, { recursive: true }));
  const { stdout } = await run(python, [join(root, 'test/conformance/mem0/client.py')], {
    env: {
      ...process.env,
      MEM0_TELEMETRY: 'false',
      MEM0_DIR,
      HOST: await server.listen(),
      KEY: await server.key('memory'),
    },
  });
  const { gone, refused, ...told } = JSON.parse(stdout) as Record<string, string>;
  assert.deepEqual(told, {
    added: 'SUCCEEDED',
    count: 2,
    found: ['I drink green tea.'],
    changed: 'I drink black tea.',
    history: ['ADD', 'UPDATE'],
    users: ['ann'],
    metadata: { kind: 'note', feedback: 'POSITIVE' },
    left: 0,
  });
  assert.match(gone ?? '', /there is no memory/);
  assert.match(refused ?? '', /name whose memories/);
});
