/** How a stored API key is shown: enough to tell two keys apart, not enough to guess the rest of a short one. */
const SHOWN = 4;
const LONG_ENOUGH = 12;

export function maskKey(key: string): string {
  return key.length < LONG_ENOUGH ? '***' : `***${key.slice(-SHOWN)}`;
}
