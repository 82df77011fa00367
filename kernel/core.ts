/** The services that the kernel provides itself. */
import type { Token } from './sdk/token.js';
import { CLOCK, METRICS, PAGES, SCOPES } from './sdk/tokens.js';

export const CORE_TOKENS: readonly Token<unknown>[] = [CLOCK, METRICS, PAGES, SCOPES];
