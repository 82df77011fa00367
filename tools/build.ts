/** The second half of `npm run build`, behind the compiler: files that the compiled code needs and the compiler does not write. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import wabt from 'wabt';

const dist = resolve(import.meta.dirname, '..');
const plugins = resolve(dist, '../plugins');

chmodSync(join(dist, 'tools/plugboard.js'), 0o755);
for (const file of readdirSync(plugins, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.wat')) await assemble(file);
}
// Browsers load these files as they are written.
const page = 'kernel/providers/auth/page/files';
rmSync(join(dist, page), { recursive: true, force: true });
cpSync(resolve(dist, '..', page), join(dist, page), { recursive: true });

/** plugins/x/y.wat to dist/plugins/x/y.wasm, beside the compiled module that loads it. */
async function assemble(file: string): Promise<void> {
  const assembler = await wabt();
  const module = assembler.parseWat(file, readFileSync(join(plugins, file), 'utf8'), {
    simd: true,
    threads: true,
  });
  const target = join(dist, 'plugins', file.replace(/\.wat$/, '.wasm'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, module.toBinary({}).buffer);
  module.destroy();
}
