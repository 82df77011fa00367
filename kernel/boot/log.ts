/** The server's logger: pino, JSON lines or text, with the secrets of the configs masked. */
import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogConfig } from '../config/shape.js';

const CENSOR = '[secret]';

/** Headers that carry credentials, wherever a request is logged. */
const SECRET_HEADERS = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-github-otp'];

/** Characters. A shorter secret may be part of any word: it is masked only under its own key. */
const SHORTEST_MASKED = 8;

/** A second destination of the lines, once set. */
export interface LogTap {
  line?: (json: string) => void;
}

export interface LogInput extends LogConfig {
  /** The secrets of the configs, which are masked anywhere in a line. */
  readonly secrets?: readonly string[];
  readonly tap?: LogTap;
}

export async function createLog(config: LogInput, destination?: DestinationStream): Promise<Logger> {
  const text =
    config.format === 'text' ||
    (config.format === 'auto' && destination === undefined && process.stdout.isTTY);
  const mask = maskerOf(config.secrets ?? []);
  const options = {
    level: config.level,
    base: null,
    redact: {
      paths: SECRET_HEADERS.flatMap((name) => [`req.headers["${name}"]`, `headers["${name}"]`]),
      censor: CENSOR,
    },
    hooks: {
      streamWrite: (line: string) => {
        const masked = mask(line);
        config.tap?.line?.(masked);
        return masked;
      },
    },
  };
  if (destination !== undefined) return pino(options, destination);
  if (!text) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({
      sync: true,
      colorize: process.stdout.isTTY,
      ignore: 'plugin',
      messageFormat: '{if plugin}{plugin}: {end}{msg}',
    }),
  );
}

/** Finds secrets in texts, errors and nested objects, which a redaction by paths misses. */
function maskerOf(secrets: readonly string[]): (line: string) => string {
  const masked = [...new Set(secrets)]
    .filter(({ length }) => length >= SHORTEST_MASKED)
    // As encoded in JSON, and the longest first: one may be part of another.
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .toSorted((a, b) => b.length - a.length);
  return (line) => masked.reduce((text, secret) => text.replaceAll(secret, CENSOR), line);
}

/**
 * pino's redaction of the keys that a config schema marks `secret`, at the top and two levels down in a logged object.
 */
export function redactionOf(schema: object): { paths: string[]; censor: string } {
  const names = new Set<string>();
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, inner] of Object.entries((part as { properties?: object }).properties ?? {})) {
      if ((inner as { secret?: boolean }).secret === true) names.add(key);
      walk(inner);
    }
    walk((part as { items?: unknown }).items);
  };
  walk(schema);
  const paths = [...names].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*[*]["${name}"]`]);
  return { paths, censor: CENSOR };
}
