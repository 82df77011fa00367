/** `plugboard/sdk`: all that a plugin may import of the server. */
export { Type } from 'typebox';
export * from './auth.js';
export * from './clock.js';
export * from './command.js';
export * from './crypto.js';
export * from './errors.js';
export * from './http.js';
export * from './lease.js';
export * from './logger.js';
export * from './metrics.js';
export * from './models.js';
export * from './plugin.js';
export * from './routes.js';
export * from './secrets.js';
export * from './storage.js';
export * from './token.js';
export * from './tokens.js';
//# sourceMappingURL=index.js.map