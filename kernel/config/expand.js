/** Environment variables and files in a config: `${X}`, `${X:-default}`, `${X:?message}`, `${file:path}`, `$$`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
const EXPRESSION = /\$\$|\$\{([^}]*)\}|\$\{/g;
const VARIABLE = /^([A-Za-z_]\w*)(?::([-?])(.*))?$/s;
/** Works on scalars after parsing, never on the text: a value cannot change the structure of the file. */
export function expandConfig(value, input) {
    const expanded = new Set();
    const problems = [];
    const expandText = (text, path) => {
        if (!text.includes('$'))
            return text;
        let touched = false;
        const result = text.replace(EXPRESSION, (whole, inner) => {
            touched = true;
            if (whole === '$$')
                return '$';
            const answer = inner === undefined ? { problem: 'an expression "${" is not closed by "}"' } : evaluate(inner, input);
            if ('text' in answer)
                return answer.text;
            problems.push({ path, message: answer.problem });
            return '';
        });
        if (touched)
            expanded.add(expandedKey(path));
        return result;
    };
    const walk = (part, path) => {
        if (typeof part === 'string')
            return expandText(part, path);
        if (Array.isArray(part))
            return part.map((item, at) => walk(item, [...path, at]));
        if (typeof part === 'object' && part !== null) {
            return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, [...path, key])]));
        }
        return part;
    };
    return { value: walk(value, []), expanded, problems };
}
export function expandedKey(path) {
    return path.join('\0');
}
function evaluate(inner, { env, baseDir }) {
    if (inner.startsWith('file:'))
        return readText(resolve(baseDir, inner.slice('file:'.length)), inner);
    const [, name, operator, rest] = VARIABLE.exec(inner) ?? [];
    if (name === undefined) {
        return {
            problem: `cannot read "\${${inner}}"; write \${NAME}, \${NAME:-default}, \${NAME:?message} or \${file:path}, and $$ for a dollar`,
        };
    }
    const value = env[name];
    // As in a shell, `:-` and `:?` take an empty variable for an unset one.
    if (value !== undefined && (value !== '' || operator === undefined))
        return { text: value };
    if (operator === '-')
        return { text: rest ?? '' };
    if (operator === '?')
        return { problem: `${name} is not set: ${rest === '' ? 'it is required' : rest}` };
    return {
        problem: `environment variable ${name} is not set; give it a value, or a default with \${${name}:-...}`,
    };
}
function readText(file, inner) {
    try {
        // Files of secrets end in a newline that is not part of the secret.
        return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
    }
    catch (error) {
        return {
            problem: `cannot read the file of \${${inner}}: ${error.code ?? 'error'}`,
        };
    }
}
//# sourceMappingURL=expand.js.map