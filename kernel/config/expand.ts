/** Environment variables and files in a config: `${X}`, `${X:-default}`, `${X:?message}`, `${file:path}`, `$$`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigPath } from './problem.js';

export interface Expansion {
  readonly value: unknown;
  /**
   * The paths of the scalars that held an expression, joined by NUL: only these may be turned from text into numbers
   * and booleans.
   */
  readonly expanded: ReadonlySet<string>;
  readonly problems: readonly { readonly path: ConfigPath; readonly message: string }[];
}

export interface ExpansionInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder where `${file:...}` paths start. */
  readonly baseDir: string;
}

const EXPRESSION = /\$\$|\$\{([^}]*)\}|\$\{/g;
const VARIABLE = /^([A-Za-z_]\w*)(?::([-?])(.*))?$/s;

/** Works on scalars after parsing, never on the text: a value cannot change the structure of the file. */
export function expandConfig(value: unknown, input: ExpansionInput): Expansion {
  const expanded = new Set<string>();
  const problems: { path: ConfigPath; message: string }[] = [];

  const expandText = (text: string, path: ConfigPath): string => {
    if (!text.includes('$')) return text;
    let touched = false;
    const result = text.replace(EXPRESSION, (whole, inner: string | undefined) => {
      touched = true;
      if (whole === '$$') return '$';
      const answer =
        inner === undefined ? { problem: 'an expression "${" is not closed by "}"' } : evaluate(inner, input);
      if ('text' in answer) return answer.text;
      problems.push({ path, message: answer.problem });
      return '';
    });
    if (touched) expanded.add(expandedKey(path));
    return result;
  };

  const walk = (part: unknown, path: ConfigPath): unknown => {
    if (typeof part === 'string') return expandText(part, path);
    if (Array.isArray(part)) return part.map((item, at) => walk(item, [...path, at]));
    if (typeof part === 'object' && part !== null) {
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, [...path, key])]));
    }
    return part;
  };

  return { value: walk(value, []), expanded, problems };
}

export function expandedKey(path: ConfigPath): string {
  return path.join('\0');
}

function evaluate(inner: string, { env, baseDir }: ExpansionInput): { text: string } | { problem: string } {
  if (inner.startsWith('file:')) return readText(resolve(baseDir, inner.slice('file:'.length)), inner);
  const [, name, operator, rest] = VARIABLE.exec(inner) ?? [];
  if (name === undefined) {
    return {
      problem: `cannot read "\${${inner}}"; write \${NAME}, \${NAME:-default}, \${NAME:?message} or \${file:path}, and $$ for a dollar`,
    };
  }
  const value = env[name];
  // As in a shell, `:-` and `:?` treat an empty variable as unset.
  if (value !== undefined && (value !== '' || operator === undefined)) return { text: value };
  if (operator === '-') return { text: rest ?? '' };
  if (operator === '?') return { problem: `${name} is not set: ${rest === '' ? 'it is required' : rest}` };
  return {
    problem: `environment variable ${name} is not set; give it a value, or a default with \${${name}:-...}`,
  };
}

function readText(file: string, inner: string): { text: string } | { problem: string } {
  try {
    // Secret files end in a newline that is not part of the secret.
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return {
      problem: `cannot read the file of \${${inner}}: ${(error as NodeJS.ErrnoException).code ?? 'error'}`,
    };
  }
}
