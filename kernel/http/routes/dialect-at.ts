/** The shape of errors on a path. */
import type { Instance } from '../../boot/plan/order.js';
import type { Dialect, DialectName } from '../../sdk/http/errors.js';
import { pathBehind } from '../paths.js';

const DEFAULT_DIALECT: DialectName = 'svc';

/** `path` as the client sent it. */
export function dialectAt(instance: Instance | undefined, path: string): DialectName | Dialect {
  const { dialectOf, dialect } = instance?.definition ?? {};
  return dialectOf?.(pathBehind(instance?.prefix ?? '', path)) ?? dialect ?? DEFAULT_DIALECT;
}
