/** Ollama's own API. Its server also speaks chat completions, so no upstream is written to in this dialect. */
import type { ClientDialect } from '../dialect.js';
import { writeAnswer } from './answer.js';
import { readRequest } from './request-in.js';
import { OllamaStreamWriter } from './stream-out.js';

export const ollama: ClientDialect = {
  name: 'ollama',
  readRequest,
  writeAnswer,
  writeStream: (asked) => new OllamaStreamWriter(asked),
  streamType: 'application/x-ndjson',
  names: {
    topK: 'options.top_k',
    seed: 'options.seed',
    stop: 'options.stop',
    frequencyPenalty: 'options.frequency_penalty',
    presencePenalty: 'options.presence_penalty',
    output: 'format',
    thinking: 'think',
  },
  // They say how Ollama holds a model, which elsewhere is the vendor's matter.
  dispensable: new Set([
    'keep_alive',
    'truncate',
    'shift',
    'options.num_ctx',
    'options.num_keep',
    'options.num_batch',
    'options.num_gpu',
    'options.num_thread',
    'options.main_gpu',
    'options.numa',
    'options.low_vram',
    'options.use_mmap',
    'options.use_mlock',
    'options.vocab_only',
  ]),
};
