/** Anthropic's messages. */
import { EVENT_STREAM, type Dialect } from '../dialect.js';
import { nameOf } from '../reading.js';
import { readAnswer, readUsage, writeAnswer } from './answer.js';
import { readRequest } from './request-in.js';
import { writeRequest } from './request-out.js';
import { MessageStreamReader } from './stream-in.js';
import { MessageStreamWriter } from './stream-out.js';

export const anthropic: Dialect = {
  name: 'anthropic',
  readRequest,
  writeRequest,
  readAnswer,
  isAnswer: (answer) => Array.isArray(answer['content']),
  summary: (answer) => ({ usage: readUsage(answer['usage']), model: nameOf(answer['model']) }),
  writeAnswer,
  readStream: () => new MessageStreamReader(),
  writeStream: (asked) => new MessageStreamWriter(asked),
  streamType: EVENT_STREAM,
  names: {
    topK: 'top_k',
    stop: 'stop_sequences',
    parallelTools: 'tool_choice.disable_parallel_tool_use',
    output: 'output_config.format',
    thinking: 'thinking',
    toolChoice: 'tool_choice',
    audio: 'messages[].content[]',
    file: 'messages[].content[].source.file_id',
    document: 'messages[].content[].source',
    documentUrl: 'messages[].content[].source.url',
    imageUrl: 'messages[].content[].source.url',
  },
  dispensable: new Set(['service_tier', 'context_management', 'inference_geo', 'cache_control']),
};
