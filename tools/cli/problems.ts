/** The problems of a config as they are shown: for a terminal, and for programs. */
import { styleText } from 'node:util';
import { pathText, type Position, type Problem } from '../../kernel/config/problem.js';

/** What the problems are about: the files, in the order given. */
interface ProblemFiles {
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/**
 * All problems as text for a terminal: `file:line:column severity path: message`, the source line and a caret.
 * The text at `secrets` is masked.
 */
export function renderProblems(
  problems: readonly Problem[],
  source: ProblemFiles,
  { color = false, secrets = [] }: { color?: boolean; secrets?: readonly Position[] } = {},
): string {
  return inFileOrder(problems, source)
    .map((problem) => renderProblem(problem, source, color, secrets))
    .join('\n');
}

/** The same for programs: one JSON object a line. */
export function problemsAsJson(problems: readonly Problem[], source: ProblemFiles): string {
  return inFileOrder(problems, source)
    .map(({ severity, path, message, position }) =>
      JSON.stringify({
        file: position?.file ?? source.files[0]?.file,
        line: position?.line,
        column: position?.column,
        severity,
        path: pathText(path),
        message,
      }),
    )
    .join('\n');
}

function inFileOrder(problems: readonly Problem[], { files }: ProblemFiles): Problem[] {
  const key = ({ position }: Problem): number => {
    if (position === undefined) return 0;
    const file = files.findIndex((one) => one.file === position.file);
    return file * 1e12 + position.line * 1e6 + position.column;
  };
  return problems.toSorted((a, b) => key(a) - key(b));
}

function renderProblem(
  { position, severity, path, message }: Problem,
  { files }: ProblemFiles,
  color: boolean,
  secrets: readonly Position[],
): string {
  const paint = (style: 'red' | 'yellow' | 'bold' | 'dim', text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const place =
    position === undefined ? files[0]?.file : `${position.file}:${position.line}:${position.column}`;
  const head = `${paint('bold', place ?? '')} ${paint(severity === 'error' ? 'red' : 'yellow', severity)} `;
  const text = head + (path.length === 0 ? message : `${pathText(path)}: ${message}`);
  if (position === undefined) return text;
  const source = sourceLine(position, files, secrets);
  if (source === undefined) return text;
  const number = String(position.line);
  const caret = `${' '.repeat(displayWidth(source.slice(0, position.column - 1)))}${'^'.repeat(Math.max(1, Math.min(position.length, source.length - position.column + 1)))}`;
  return `${text}\n  ${paint('dim', `${number} |`)} ${source.replaceAll('\t', ' ')}\n  ${paint('dim', `${' '.repeat(number.length)} |`)} ${paint('red', caret)}`;
}

/** The line of the file, with the secrets in it masked to their last character. */
function sourceLine(
  { file, line }: Position,
  files: ProblemFiles['files'],
  secrets: readonly Position[],
): string | undefined {
  const source = files.find((one) => one.file === file)?.text.split(/\r?\n/)[line - 1];
  if (source === undefined) return undefined;
  return secrets
    .filter((secret) => secret.file === file && secret.line === line)
    .reduce((text, { column, length }) => {
      const end = column - 1 + length;
      return `${text.slice(0, column - 1)}${'*'.repeat(Math.min(length, text.length - column + 1))}${text.slice(end)}`;
    }, source);
}

/** Columns that a text takes in a terminal: wide East Asian characters take two. */
function displayWidth(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g,
  );
  return text.length + (wide?.length ?? 0);
}
