/** Identifies the current boot of the machine: within one boot a killed process leaves its files complete. */
import { readFileSync } from 'node:fs';

/** 32 hex digits; zeros if unknown. */
export function bootId(): string {
  try {
    const text = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').replaceAll('-', '').trim();
    return /^[0-9a-f]{32}$/.test(text) ? text : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

export const UNKNOWN = '0'.repeat(32);
