/** The dialects there are. */
import { anthropic } from './anthropic/index.js';
import { chat } from './chat/index.js';
import type { Dialect } from './dialect.js';
import { gemini } from './gemini/index.js';
import type { DialectName } from './neutral.js';
import { responses } from './responses/index.js';

export const dialects: Readonly<Record<DialectName, Dialect>> = { chat, responses, anthropic, gemini };
