/** OpenAI's chat completions, and what other servers added to them. */
import { EVENT_STREAM, type Dialect } from '../dialect.js';
import { nameOf } from '../reading.js';
import { readAnswer, readUsage, writeAnswer } from './answer.js';
import { readRequest } from './request-in.js';
import { writeRequest } from './request-out.js';
import { ChatStreamReader } from './stream-in.js';
import { ChatStreamWriter } from './stream-out.js';

export const chat: Dialect = {
  name: 'chat',
  readRequest,
  writeRequest,
  readAnswer,
  isAnswer: (answer) => Array.isArray(answer['choices']),
  summary: (answer) => ({ usage: readUsage(answer['usage']), model: nameOf(answer['model']) }),
  writeAnswer,
  readStream: () => new ChatStreamReader(),
  writeStream: (asked) => new ChatStreamWriter(asked),
  streamType: EVENT_STREAM,
  names: {
    topK: 'top_k',
    seed: 'seed',
    stop: 'stop',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    parallelTools: 'parallel_tool_calls',
    output: 'response_format',
    thinking: 'reasoning_effort',
    toolChoice: 'tool_choice',
    audio: 'messages[].content[].input_audio',
    file: 'messages[].content[].file.file_id',
    document: 'messages[].content[].file',
    documentUrl: 'messages[].content[].file.file_data',
    imageUrl: 'messages[].content[].image_url.url',
  },
  dispensable: new Set([
    'metadata',
    'store',
    'service_tier',
    'prompt_cache_key',
    'prompt_cache_retention',
    'safety_identifier',
  ]),
};
