/** The config that is in force, with its defaults, without secrets. */
import { stringify } from 'yaml';
import type { Plan } from '../../kernel/boot/plan/prepare.js';
import { expandedKey } from '../../kernel/config/expand.js';
import type { ConfigPath } from '../../kernel/config/problem.js';

/** The parts of a JSON Schema that are read here. */
interface ConfigSchema {
  readonly secret?: boolean;
  readonly items?: ConfigSchema;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
}

/** As YAML. An expanded value is shown as written in the file (`${X}`), a key marked `secret` as `[secret]`. */
export function printPlan(plan: Plan, written: unknown, expanded: ReadonlySet<string>): string {
  const show = (value: unknown, path: ConfigPath, schema: ConfigSchema | undefined): unknown => {
    if (expanded.has(expandedKey(path))) return at(written, path);
    if (schema?.secret === true && value !== undefined && value !== '') return '[secret]';
    if (Array.isArray(value)) return value.map((item, index) => show(item, [...path, index], schema?.items));
    if (typeof value !== 'object' || value === null) return value;
    const { properties = {} } = schema ?? {};
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, show(inner, [...path, key], properties[key])]),
    );
  };
  const section = (name: 'providers' | 'plugins') =>
    Object.fromEntries(
      plan.instances
        .filter((instance) => instance.section === name)
        .map(({ id, definition, config, prefix, optional }) => [
          id,
          {
            use: at(written, [name, id, 'use']) ?? definition.name,
            ...(prefix === '' ? {} : { prefix }),
            ...(optional ? { optional } : {}),
            ...(show(config, [name, id], definition.config) as object),
          },
        ]),
    );
  return stringify({
    version: 1,
    server: show(plan.server, ['server'], undefined),
    log: show(plan.log, ['log'], undefined),
    providers: section('providers'),
    plugins: section('plugins'),
  });
}

function at(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (part, step) => (part as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );
}
