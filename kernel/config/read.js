/** A config file as a value whose every part knows its place in the text. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, } from 'yaml';
/** Aliases are expanded at most this often, so that a small file cannot grow into gigabytes ("billion laughs"). */
const MAX_ALIASES = 100;
/** Reads YAML 1.2. The problems are those of the text itself: syntax, duplicate keys, tabs, too many aliases. */
export function readConfig(file, text) {
    const counter = new LineCounter();
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
    const problems = [...document.errors, ...document.warnings].map((error) => ({
        severity: error.name === 'YAMLWarning' ? 'warning' : 'error',
        path: [],
        message: MESSAGES[error.code] ?? lowerFirst(error.message),
        position: position(counter, error.pos[0], error.pos[1]),
    }));
    let value;
    if (problems.every(({ severity }) => severity === 'warning')) {
        try {
            value = document.toJS({ maxAliasCount: MAX_ALIASES });
        }
        catch (error) {
            problems.push({ severity: 'error', path: [], ...aliasProblem(document, counter, error) });
        }
        if (value === null)
            problems.push({
                severity: 'error',
                path: [],
                message: 'the file is empty; a config starts with "version: 1"',
            });
    }
    const locate = (path, part = 'value') => locateIn(document, counter, path, part);
    return { source: { file, text, value, locate }, problems };
}
/** Where the parser speaks to programmers. */
const MESSAGES = {
    MULTIPLE_DOCS: 'a config is one document; remove the "---" and what follows',
    DUPLICATE_KEY: 'this key is already there; each key may stand once',
};
/** What expanding the aliases met: one without its anchor, or too many. */
function aliasProblem(document, counter, error) {
    let last;
    let unresolved;
    visit(document, {
        Alias: (_key, alias) => {
            last = alias;
            if (unresolved === undefined && alias.resolve(document) === undefined)
                unresolved = alias;
        },
    });
    const range = (unresolved ?? last)?.range;
    const place = range ? position(counter, range[0], range[1]) : undefined;
    if (unresolved !== undefined)
        return { message: `no anchor &${unresolved.source} stands before this alias`, position: place };
    return {
        message: /alias/i.test(error.message)
            ? `aliases are expanded at most ${MAX_ALIASES} times; write the values out`
            : lowerFirst(error.message),
        position: place,
    };
}
/** A config that did not come from a file: nothing can be located in it. */
export function configFromValue(file, value) {
    return { file, text: '', value, locate: () => undefined };
}
function locateIn(document, counter, path, part) {
    let node = document.contents;
    let found = rangeOf(node);
    for (const [depth, step] of path.entries()) {
        if (isMap(node)) {
            const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
            if (pair === undefined)
                break;
            const last = depth === path.length - 1;
            found = (last && part === 'value' ? rangeOf(pair.value) : undefined) ?? rangeOf(pair.key) ?? found;
            node = pair.value;
        }
        else if (isSeq(node)) {
            node = node.items[Number(step)];
            found = rangeOf(node) ?? found;
        }
        else
            break;
    }
    return found === undefined ? undefined : position(counter, found[0], found[1]);
}
function rangeOf(node) {
    const range = node?.range;
    // An empty value (`key:`) has an empty range: its key is the better place.
    return range && range[1] > range[0] ? [range[0], range[1]] : undefined;
}
function position(counter, start, end) {
    const { line, col } = counter.linePos(start);
    const stop = counter.linePos(end);
    return { line, column: col, length: stop.line === line ? Math.max(1, stop.col - col) : 1 };
}
function lowerFirst(text) {
    return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
//# sourceMappingURL=read.js.map