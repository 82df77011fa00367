/** Masks a stored API key: enough to tell two keys apart, too little to guess the rest of a short one. */
const SHOWN = 4;
const LONG_ENOUGH = 12;

export function maskKey(key: string): string {
  return key.length < LONG_ENOUGH ? '***' : `***${key.slice(-SHOWN)}`;
}
