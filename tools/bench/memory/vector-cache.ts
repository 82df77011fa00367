/** A sentence encoder as the `MODELS` service; each text is embedded once and cached on disk. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Models } from 'plugboard/sdk';

type Embed = (texts: readonly string[]) => Promise<Float32Array[]>;

export function cachedModels(model: string, embed: Embed): Models {
  const folder = join(tmpdir(), 'plugboard-bench-vectors');
  const file = join(folder, `${model.replaceAll('/', '-')}.ndjson`);
  mkdirSync(folder, { recursive: true });
  const vectors = new Map<string, string>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const [key, vector] = line.split(' ');
    if (key && vector) vectors.set(key, vector);
  }
  return {
    async embed(_model, input) {
      const missing = [...new Set(input)].filter((text) => !vectors.has(keyOf(text)));
      const made = missing.length === 0 ? [] : await embed(missing);
      made.forEach((vector, at) => {
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
        const key = keyOf(missing[at] ?? '');
        vectors.set(key, bytes);
        appendFileSync(file, `${key} ${bytes}\n`);
      });
      return {
        model,
        vectors: input.map((text) => toFloats(vectors.get(keyOf(text)) ?? '')),
        tokens: input.length,
      };
    },
    list: () => [{ id: model, upstream: 'bench', kind: 'embedding', dimensions: null, hasKey: true }],
    rerank: () => Promise.reject(new Error('no rerank model')),
    chat: () => Promise.reject(new Error('no chat model')),
    interceptChat: () => () => {},
    guardChat: () => () => {},
  } as Models;
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function toFloats(base64: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return new Float32Array(bytes.buffer, 0, bytes.byteLength / 4);
}
