import { CLOCK, METRICS } from './sdk/tokens.js';
export const CORE_TOKENS = [CLOCK, METRICS];
//# sourceMappingURL=core.js.map