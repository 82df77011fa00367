/** Problems of a config file: what is wrong, where, and how it is shown. */
import { styleText } from 'node:util';
/** `plugins.events.pollInterval`; keys that are not plain words are quoted. */
export function pathText(path) {
    return path
        .map((part, at) => {
        if (typeof part === 'number')
            return `[${part}]`;
        const text = /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
        return at === 0 ? text : `.${text}`;
    })
        .join('');
}
/** All problems as text for a terminal: `file:line:column severity path: message`, the source line and a caret. */
export function renderProblems(problems, source, color = false) {
    const lines = source.text.split(/\r?\n/);
    return inFileOrder(problems)
        .map((problem) => renderProblem(problem, source.file, lines, color))
        .join('\n');
}
/** The same for programs: one JSON object a line. */
export function problemsAsJson(problems, file) {
    return inFileOrder(problems)
        .map(({ severity, path, message, position }) => JSON.stringify({
        file,
        line: position?.line,
        column: position?.column,
        severity,
        path: pathText(path),
        message,
    }))
        .join('\n');
}
export function inFileOrder(problems) {
    const key = ({ position }) => position === undefined ? 0 : position.line * 1e6 + position.column;
    return problems.toSorted((a, b) => key(a) - key(b));
}
function renderProblem(problem, file, lines, color) {
    const { position, severity, path, message } = problem;
    const paint = (style, text) => color ? styleText(style, text, { validateStream: false }) : text;
    const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    const head = `${paint('bold', place)} ${paint(severity === 'error' ? 'red' : 'yellow', severity)} `;
    const text = head + (path.length === 0 ? message : `${pathText(path)}: ${message}`);
    const source = position === undefined ? undefined : lines[position.line - 1];
    if (position === undefined || source === undefined)
        return text;
    const number = String(position.line);
    const caret = `${' '.repeat(displayWidth(source.slice(0, position.column - 1)))}${'^'.repeat(Math.max(1, Math.min(position.length, source.length - position.column + 1)))}`;
    return `${text}\n  ${paint('dim', `${number} |`)} ${source.replaceAll('\t', ' ')}\n  ${paint('dim', `${' '.repeat(number.length)} |`)} ${paint('red', caret)}`;
}
/** Columns that a text takes in a terminal: wide East Asian characters take two. */
function displayWidth(text) {
    const wide = text.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g);
    return text.length + (wide?.length ?? 0);
}
//# sourceMappingURL=problem.js.map