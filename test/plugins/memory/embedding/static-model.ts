/** Makes small Model2Vec directories. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export interface StoredTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** Default: where the bytes really are. */
  readonly data_offsets?: readonly number[];
}

/** A safetensors file, as true as its tensors' descriptions. */
export function safetensors(tensors: Readonly<Record<string, StoredTensor>>): Buffer {
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  const bodies: Uint8Array[] = [];
  let offset = 0;
  for (const [name, { bytes, data_offsets, ...described }] of Object.entries(tensors)) {
    header[name] = { ...described, data_offsets: data_offsets ?? [offset, offset + bytes.byteLength] };
    bodies.push(bytes);
    offset += bytes.byteLength;
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.byteLength));
  return Buffer.concat([length, json, ...bodies]);
}

/** Writes the files to a directory that goes with the test. */
export async function directoryOf(
  t: TestContext,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'static-model-'));
  t.after(() => rm(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  return directory;
}

/** A tokenizer.json that cuts words into pieces of a vocabulary (WordPiece); token 0 is the unknown one. */
export function wordPiece(vocabulary: readonly string[]): string {
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(['[UNK]', ...vocabulary].map((piece, token) => [piece, token])),
    },
  });
}
