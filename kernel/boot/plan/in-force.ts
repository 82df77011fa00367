/** The effective config, with its defaults, without secrets. */
import { expandedKey } from '../../config/expand.js';
import type { ConfigPath } from '../../config/problem.js';
import type { ConfigSource } from '../../config/read.js';
import type { LogConfig, ServerConfig } from '../../config/shape.js';
import type { Instance } from './order.js';

/** An expanded value is shown as written in the file (`${X}`), a secret one as `[secret]`. */
export interface InForce {
  readonly server: unknown;
  readonly log: unknown;
  readonly entries: readonly EntryInForce[];
}

export interface EntryInForce {
  readonly section: Instance['section'];
  readonly id: string;
  /** `use`, `prefix` and `optional` if they differ from the default, then the plugin's own keys. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Where the config names it; null for a default entry. */
  readonly at: { readonly file: string; readonly line: number } | null;
}

/** The parts of a JSON Schema that are read here. */
interface ConfigSchema {
  readonly secret?: boolean;
  readonly items?: ConfigSchema;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
}

interface Input {
  readonly server: ServerConfig;
  readonly log: LogConfig;
  readonly instances: readonly Instance[];
  readonly source: ConfigSource;
  readonly expanded: ReadonlySet<string>;
  /** Texts under keys that a schema marks `secret`, wherever in it. */
  readonly secrets: readonly string[];
}

const MASK = '[secret]';

export function configInForce({ server, log, instances, source, expanded, secrets }: Input): InForce {
  const written = source.value;
  const show = (value: unknown, path: ConfigPath, schema: ConfigSchema | undefined): unknown => {
    if (expanded.has(expandedKey(path))) return at(written, path);
    if (schema?.secret === true && value !== undefined && value !== '') return MASK;
    if (typeof value === 'string' && secrets.includes(value)) return MASK;
    if (Array.isArray(value)) return value.map((item, index) => show(item, [...path, index], schema?.items));
    if (typeof value !== 'object' || value === null) return value;
    const { properties = {} } = schema ?? {};
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, show(inner, [...path, key], properties[key])]),
    );
  };
  const entry = ({ section, id, definition, config, prefix, optional }: Instance): EntryInForce => {
    const place = source.locate([section, id], 'key');
    return {
      section,
      id,
      config: {
        use: at(written, [section, id, 'use']) ?? definition.name,
        ...(prefix === '' ? {} : { prefix }),
        ...(optional ? { optional } : {}),
        ...(show(config, [section, id], definition.config) as object),
      },
      at: place === undefined || place.depth < 2 ? null : { file: place.file, line: place.line },
    };
  };
  return {
    server: show(server, ['server'], undefined),
    log: show(log, ['log'], undefined),
    entries: instances.map(entry),
  };
}

function at(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (part, step) => (part as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );
}
