/** placeholder */
import type { ExitCode } from '../plugboard.js';
export function createPluginCommand(_words: readonly string[]): ExitCode { return 2; }
