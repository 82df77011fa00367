/** Log lines as OTLP records, by the conventions for severities and exceptions. */
import type { LogRecord } from './otlp.js';
import type { TraceContext } from './trace-context.js';

/** Severity number and name in OTLP for each pino level. */
const SEVERITIES: Readonly<Record<number, readonly [number, string]>> = {
  10: [1, 'TRACE'],
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
  60: [21, 'FATAL'],
};

export const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;

/** Characters of a line; longer ones, as with a long stack, are dropped and counted. */
export const LONGEST_LINE = 65_536;

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/** Undefined below `least`, a pino level. */
export function recordOf(
  json: string,
  least: number,
  context: TraceContext | undefined,
): LogRecord | undefined {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line;
  if (level < least) return undefined;
  return {
    at: time,
    severity: SEVERITIES[level] ?? [0, 'UNSPECIFIED'],
    body: msg,
    attributes: {
      ...Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [`plugboard.${name}`, flat(value)]),
      ),
      'exception.type': err?.type,
      'exception.message': err?.message,
      'exception.stacktrace': err?.stack,
    },
    context,
  };
}

/** Values other than texts, numbers and booleans are sent as JSON. */
function flat(value: unknown): string | number | boolean | null {
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value)
    : (value as string | number | boolean | null);
}
