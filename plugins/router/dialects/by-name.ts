/** All dialects. */
import { anthropic } from './anthropic/index.js';
import { chat } from './chat/index.js';
import type { ClientDialect, Dialect } from './dialect.js';
import { gemini } from './gemini/index.js';
import type { ClientName, DialectName } from './neutral.js';
import { ollama } from './ollama/index.js';
import { responses } from './responses/index.js';

export const dialects: Readonly<Record<DialectName, Dialect>> = { chat, responses, anthropic, gemini };
export const clients: Readonly<Record<ClientName, ClientDialect>> = { ...dialects, ollama };
