/** Problems of a config file: what is wrong, and where. */

export type ConfigPath = readonly (string | number)[];

export interface Position {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units as editors count. */
  readonly column: number;
  /** How many characters to underline; at least 1. */
  readonly length: number;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Where in the config's tree; empty for the file as a whole. */
  readonly path: ConfigPath;
  readonly message: string;
  /** Absent when the config did not come from a file, or its place is unknown. */
  readonly position?: Position | undefined;
}

/** A problem of a value, before its place in the file is looked up. */
export interface SchemaProblem {
  readonly severity: 'error' | 'warning';
  readonly path: ConfigPath;
  /** What the path points at: an unknown key itself, or the value under a key. */
  readonly part: 'key' | 'value';
  readonly message: string;
}

/** `plugins.events.pollInterval`; keys that are not plain words are quoted. */
export function pathText(path: ConfigPath): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      const text = /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
      return at === 0 ? text : `.${text}`;
    })
    .join('');
}
