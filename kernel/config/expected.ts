/** Sentences about keys and values that a config may not have. */
import { suggest } from '../sdk/suggest.js';

export function unknownKey(key: string, allowed: readonly string[]): string {
  const near = suggest(key, allowed);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return `unknown key "${key}"${hint} (${allowed.length === 0 ? 'no keys are allowed here' : `allowed: ${allowed.join(', ')}`})`;
}

export function oneOf(value: unknown, allowed: readonly unknown[]): string {
  const names = allowed.filter((one) => typeof one === 'string');
  const near = typeof value === 'string' ? suggest(value, names) : undefined;
  const list = allowed.map((one) => JSON.stringify(one)).join(', ');
  return `must be ${allowed.length === 1 ? '' : 'one of '}${list}${near === undefined ? '' : `; did you mean "${near}"?`}`;
}
