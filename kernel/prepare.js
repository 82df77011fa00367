/**
 * Everything that can be known before starting: read > expand > load > validate > plan. No side effects. Each
 * phase collects all its problems; `plugboard check` stops behind the last one.
 */
import { expandConfig, expandedKey } from './config/expand.js';
import { EntryKeys, FileConfig, RESERVED_KEYS, splitEntry, } from './config/shape.js';
import { validateValue } from './config/validate.js';
import { loadPlugin, LoadError } from './load.js';
import { planOrder } from './plan.js';
import { slots } from './providers/index.js';
import { CORE_TOKENS } from './core.js';
export async function prepare(input) {
    const { source } = input;
    const problems = [];
    const unexpanded = new Set();
    const report = ({ severity, path, part, message }) => {
        // A value that could not be expanded is already a problem; what a schema says of its place is noise.
        if (!unexpanded.has(expandedKey(path)))
            problems.push({ severity, path, message, position: source.locate(path, part) });
    };
    const failed = () => problems.some(({ severity }) => severity === 'error');
    const expansion = expandConfig(source.value, input);
    for (const { path, message } of expansion.problems) {
        report({ severity: 'error', path, part: 'value', message });
        unexpanded.add(expandedKey(path));
    }
    const check = (schema, value, path, reserved) => validateValue({
        schema,
        value,
        path,
        expanded: expansion.expanded,
        ...(reserved && { reserved }),
    }).forEach(report);
    check(FileConfig, expansion.value, []);
    const file = entriesOf(expansion.value);
    const instances = await instancesOf(file, input, check, report);
    if (failed())
        return { problems, expanded: expansion.expanded };
    const { order, problems: unplanned } = planOrder(instances, CORE_TOKENS);
    for (const { instance, message } of unplanned) {
        report({ severity: 'error', path: [instance.section, instance.id], part: 'key', message });
    }
    if (failed())
        return { problems, expanded: expansion.expanded };
    const { server, log } = expansion.value;
    return {
        problems,
        expanded: expansion.expanded,
        plan: { server, log, baseDir: input.baseDir, instances: order },
    };
}
/** The entries of the file, as far as its shape allows: a broken part must not hide the problems of the others. */
function entriesOf(value) {
    const section = (name) => {
        const entries = isMapping(value) ? value[name] : undefined;
        if (!isMapping(entries))
            return new Map();
        return new Map(Object.entries(entries).filter((pair) => pair[1] === null || isMapping(pair[1])));
    };
    return { providers: section('providers'), plugins: section('plugins') };
}
/**
 * Plugins first, then the providers: a provider that the file does not name is there for those that need it,
 * and only then. The slots stand in the order in which they may need each other.
 */
async function instancesOf(file, input, check, report) {
    const plugins = [];
    for (const [id, entry] of file.plugins) {
        if (slots.some(({ name }) => name === id)) {
            const message = `"${id}" is the name of a provider; give the plugin another key and say use: ${id}`;
            report({ severity: 'error', path: ['plugins', id], part: 'key', message });
            continue;
        }
        const instance = await instanceOf({ section: 'plugins', id, entry, use: id }, input, check, report);
        if (instance !== undefined)
            plugins.push(instance);
    }
    const providers = [];
    for (const slot of slots) {
        const entry = file.providers.get(slot.name);
        if (entry === undefined && !slot.always && !isUsed(slot, [...plugins, ...providers]))
            continue;
        const place = {
            section: 'providers',
            id: slot.name,
            entry: entry ?? null,
            use: slot.default,
            slot,
        };
        const instance = await instanceOf(place, input, check, report);
        if (instance !== undefined)
            providers.unshift(instance);
    }
    return [...providers, ...plugins];
}
function isUsed(slot, instances) {
    const used = instances.flatMap(({ definition: { needs = {}, wants = {} } }) => [
        ...Object.values(needs),
        ...Object.values(wants),
    ]);
    return slot.provides.some((token) => used.some(({ id }) => id === token.id));
}
async function instanceOf(place, input, check, report) {
    const { section, id, entry, slot } = place;
    const path = [section, id];
    const { kernel: keys, own } = splitEntry(entry);
    check(EntryKeys, keys, path);
    if (keys['enabled'] === false)
        return undefined;
    const use = typeof keys['use'] === 'string' ? keys['use'] : place.use;
    const usePath = use === place.use && entry?.['use'] === undefined ? path : [...path, 'use'];
    const definition = await loadOrReport(use, slot, input, usePath, report);
    if (definition === undefined)
        return undefined;
    try {
        check(definition.config, own, path, RESERVED_KEYS);
    }
    catch (error) {
        const message = `the config schema of "${use}" does not compile: ${error.message}`;
        report({ severity: 'error', path, part: 'key', message });
        return undefined;
    }
    const { prefix = '', optional = false } = keys;
    return { id, section, definition, config: own, prefix, optional };
}
async function loadOrReport(use, slot, { builtins, baseDir }, path, report) {
    try {
        const definition = await loadPlugin(use, { ...builtins, ...slot?.builtins }, baseDir);
        const missing = slot?.provides.find(({ id }) => !Object.values(definition.provides ?? {}).some((token) => token.id === id));
        if (missing === undefined)
            return definition;
        report({
            severity: 'error',
            path,
            part: 'value',
            message: `"${use}" does not provide ${missing.id}, so it cannot be the ${slot?.name} provider`,
        });
    }
    catch (error) {
        if (!(error instanceof LoadError))
            throw error;
        report({
            severity: 'error',
            path,
            part: path.at(-1) === 'use' ? 'value' : 'key',
            message: error.message,
        });
    }
    return undefined;
}
function isMapping(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
//# sourceMappingURL=prepare.js.map