/**
 * What V8 compiled of a script, kept beside it for the next process: most of a start is compiling. Node keeps such
 * code of modules from 22.1 on, but not on 20.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cachedDataVersionTag } from 'node:v8';

/** Of this Node: code of another one with the same tag of V8, which stands for its version and flags, ends the process. */
export function compiledFile(script: string): string {
  const { version, platform, arch } = process;
  return [script, version, platform, arch, cachedDataVersionTag().toString(16), 'bin'].join('.');
}

/** Undefined when none was kept of the script as it is. V8 knows a script by its length, so what is older is not taken. */
export function readCompiled(script: string): Buffer | undefined {
  try {
    const file = compiledFile(script);
    return statSync(file).mtimeMs < statSync(script).mtimeMs ? undefined : readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Keeps all of the code or, where it cannot be written, none: V8 runs what it is given. */
export function writeCompiled(script: string, code: Buffer): void {
  const file = compiledFile(script);
  const unfinished = `${file}.${process.pid}`;
  let descriptor;
  try {
    descriptor = openSync(unfinished, 'w');
  } catch {
    return; // The folder may belong to somebody else.
  }
  try {
    writeFileSync(descriptor, code);
    fsyncSync(descriptor);
    renameSync(unfinished, file);
  } catch {
    rmSync(unfinished, { force: true });
  } finally {
    closeSync(descriptor);
  }
}
