/** The shape of errors on a path. */
import type { Instance } from '../../boot/plan/order.js';
import type { Dialect, DialectName } from '../../sdk/errors.js';

const DEFAULT_DIALECT: DialectName = 'svc';

/** `path` as the client sent it. */
export function dialectAt(instance: Instance | undefined, path: string): DialectName | Dialect {
  const { dialectOf, dialect } = instance?.definition ?? {};
  return dialectOf?.(pathBehind(instance?.prefix ?? '', path)) ?? dialect ?? DEFAULT_DIALECT;
}

/** By segments, not by characters: a client may percent-encode the prefix too (`/d%61ta`). */
export function pathBehind(prefix: string, path: string): string {
  if (prefix === '') return path;
  return `/${path.split('/').slice(prefix.split('/').length).join('/')}`;
}
