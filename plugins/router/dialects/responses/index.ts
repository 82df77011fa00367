/** OpenAI's Responses, without what it keeps between calls. */
import { EVENT_STREAM, type Dialect } from '../dialect.js';
import { nameOf } from '../reading.js';
import { readAnswer, readUsage, writeAnswer } from './answer.js';
import { readRequest } from './request-in.js';
import { writeRequest } from './request-out.js';
import { ResponseStreamReader } from './stream-in.js';
import { ResponseStreamWriter } from './stream-out.js';

export const responses: Dialect = {
  name: 'responses',
  readRequest,
  writeRequest,
  readAnswer,
  isAnswer: (answer) => Array.isArray(answer['output']) && answer['status'] !== 'failed',
  summary: (answer) => ({ usage: readUsage(answer['usage']), model: nameOf(answer['model']) }),
  writeAnswer,
  readStream: () => new ResponseStreamReader(),
  writeStream: (asked) => new ResponseStreamWriter(asked),
  streamType: EVENT_STREAM,
  names: {
    topK: 'top_k',
    parallelTools: 'parallel_tool_calls',
    output: 'text.format',
    thinking: 'reasoning',
    toolChoice: 'tool_choice',
    audio: 'input[].content[]',
    file: 'input[].content[].file_id',
    document: 'input[].content[]',
    documentUrl: 'input[].content[].file_url',
    imageUrl: 'input[].content[].image_url',
  },
  dispensable: new Set([
    'metadata',
    'service_tier',
    'prompt_cache_key',
    'prompt_cache_retention',
    'safety_identifier',
    'truncation',
    'client_metadata',
    'text',
  ]),
};
