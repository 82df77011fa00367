/** A log for what a test does not look at. */
import type { Logger } from '../../kernel/sdk/plugin/logger.js';

const ignore = (): void => {};

export const silentLog: Logger = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};
