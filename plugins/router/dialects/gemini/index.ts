/** Google's generateContent. */
import { EVENT_STREAM, type Dialect } from '../dialect.js';
import { nameOf } from '../reading.js';
import { isBlocked, readAnswer, readUsage, writeAnswer } from './answer.js';
import { readRequest } from './request-in.js';
import { writeRequest } from './request-out.js';
import { ContentStreamReader } from './stream-in.js';
import { ContentStreamWriter } from './stream-out.js';

export const gemini: Dialect = {
  name: 'gemini',
  readRequest,
  writeRequest,
  readAnswer,
  isAnswer: (answer) => Array.isArray(answer['candidates']) || isBlocked(answer),
  summary: (answer) => ({ usage: readUsage(answer['usageMetadata']), model: nameOf(answer['modelVersion']) }),
  writeAnswer,
  readStream: () => new ContentStreamReader(),
  writeStream: (asked) => new ContentStreamWriter(asked),
  streamType: EVENT_STREAM,
  names: {
    topK: 'generationConfig.topK',
    seed: 'generationConfig.seed',
    stop: 'generationConfig.stopSequences',
    frequencyPenalty: 'generationConfig.frequencyPenalty',
    presencePenalty: 'generationConfig.presencePenalty',
    output: 'generationConfig.responseMimeType',
    thinking: 'generationConfig.thinkingConfig',
    toolChoice: 'toolConfig',
    audio: 'contents[].parts[].inlineData',
    file: 'contents[].parts[].fileData',
    document: 'contents[].parts[].inlineData',
    documentUrl: 'contents[].parts[].fileData',
    imageUrl: 'contents[].parts[].fileData',
  },
  dispensable: new Set(['labels', 'safetySettings', 'safety_settings']),
};
