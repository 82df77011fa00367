import { token } from './token.js';
export const STORAGE = token('plugboard.storage@1');
export const AUTH = token('plugboard.auth@1');
export const ERRORS = token('plugboard.errors@1');
export const SECRETS = token('plugboard.secrets@1');
export const CLOCK = token('plugboard.clock@1');
export const METRICS = token('plugboard.metrics@1');
export const MODELS = token('plugboard.models@1');
//# sourceMappingURL=tokens.js.map