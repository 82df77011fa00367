/**
 * Checks that no regular expression of the source takes more than linear time: `node dist/tools/check-patterns.js
 * [FOLDER ...]`.
 *
 * It reads literals, `new RegExp(...)` over constants, and the `pattern` and `patternProperties` of schemas from the
 * syntax tree. What is linear by its form passes at once; `recheck` judges the rest, and a pattern that it cannot
 * judge is a fault.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';
import { filesBelow } from './files-below.js';

type Node = Readonly<Record<string, unknown>>;

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** The initial values of constants, by name. */
type Constants = ReadonlyMap<string, Node>;

/** Milliseconds for one pattern, on a busy machine. */
const TIMEOUT = 240_000;

/** recheck gives its phases a time each; without it a busy machine comes to the same verdict as an idle one. */
const STEADY = { seedingTimeout: null, incubationTimeout: null } as const;

/** Files that build patterns at run time, which cannot be judged here; each says why it is safe. */
const BUILT: Readonly<Record<string, string>> = {
  'kernel/sdk/kit/containing.ts': 'a text to be searched, every sign of it escaped',
  'plugins/storage/embedded/filter/predicate.ts': 'compiles the `$regex` of plugins, which are read here',
  'kernel/config/defaults.ts':
    'the `patternProperties` of config schemas, which plugins write and ajv runs too',
  'plugins/memory/engine/analyzer/analyze.ts':
    'one syllable and one of a list of particles, anchored at both ends',
  'plugins/memory/engine/extraction/pronouns.ts': 'one of a list of words, with no letter next to it',
  'plugins/memory/engine/analyzer/split.ts':
    'differences of classes, which recheck does not read: a run of letters, and apostrophes between runs',
  'plugins/dataquery/engine/search/unspaced.ts':
    'a difference of classes, which recheck does not read: runs of one class each, in alternatives that exclude each other',
  'plugins/dataquery/engine/pattern/like.ts':
    'at most 100 tokens, each one character or, once or at the ends, `.*`: the product is bounded',
  'plugins/dataquery/engine/read/pushdown.ts': 'one text of word characters, spaces and hyphens',
  'plugins/dataquery/engine/read/word-filter.ts': 'one escaped word at the beginning of the text',
};

// Without it recheck looks for a native binary and for Java first.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

const root = resolve(import.meta.dirname, '../..');
process.chdir(root);
const folders = process.argv.length > 2 ? process.argv.slice(2) : ['kernel', 'plugins', 'tools'];
const files = folders.flatMap(sourceFiles).map((file) => ({ file, tree: treeOf(file) }));
const everywhere = new Map(files.flatMap(({ tree }) => [...constantsOf(tree)]));
const verdicts = new Map<string, string | undefined>();
const faults: string[] = [];
let patterns = 0;

for (const { file, tree } of files) {
  const constants = new Map([...everywhere, ...constantsOf(tree)]);
  for (const found of patternsOf(tree, constants)) {
    patterns += 1;
    if (found === undefined) {
      if (BUILT[file] === undefined) faults.push(`${file}: builds a pattern that this check cannot read`);
      continue;
    }
    const fault = verdictOf(found);
    if (fault !== undefined) faults.push(`${file}: /${found.source}/${found.flags}: ${fault}`);
  }
}
if (patterns === 0) faults.push('found no pattern at all: the check is blind');
for (const fault of faults) console.error(fault);
console.log(`patterns: ${patterns}, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function sourceFiles(folder: string): string[] {
  return filesBelow(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('bench/'))
    .map((file) => join(folder, file));
}

function treeOf(file: string): unknown {
  return parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' }).body;
}

function* nodesOf(tree: unknown): Generator<Node> {
  if (typeof tree !== 'object' || tree === null) return;
  if (!Array.isArray(tree)) yield tree as Node;
  for (const child of Object.values(tree)) yield* nodesOf(child);
}

function constantsOf(tree: unknown): Map<string, Node> {
  const constants = new Map<string, Node>();
  for (const node of nodesOf(tree)) {
    if (node['type'] !== 'VariableDeclarator' || node['init'] == null) continue;
    constants.set(String((node['id'] as Node)['value']), node['init'] as Node);
  }
  return constants;
}

/** `undefined`: the text of the pattern is only known at run time. */
function* patternsOf(tree: unknown, constants: Constants): Generator<Pattern | undefined> {
  for (const node of nodesOf(tree)) {
    if (node['type'] === 'RegExpLiteral')
      yield { source: String(node['pattern']), flags: String(node['flags']) };
    if (isConstruction(node)) yield constructed(node, constants);
    if (node['type'] === 'KeyValueProperty') yield* schemaPatterns(node, constants);
  }
}

function isConstruction(node: Node): boolean {
  const isCall = node['type'] === 'NewExpression' || node['type'] === 'CallExpression';
  return isCall && (node['callee'] as Node)['value'] === 'RegExp';
}

function constructed(node: Node, constants: Constants): Pattern | undefined {
  const [first, second] = (node['arguments'] ?? []) as { expression: Node }[];
  const source = textOf(first?.expression, constants);
  const flags = second === undefined ? '' : textOf(second.expression, constants);
  return source === undefined || flags === undefined ? undefined : { source, flags };
}

/** Ajv compiles the patterns of schemas with the flag u. A `pattern` that holds no text belongs to no schema. */
function* schemaPatterns(node: Node, constants: Constants): Generator<Pattern> {
  const key = (node['key'] as Node)['value'];
  const value = node['value'] as Node;
  if (key === 'pattern') {
    const source = textOf(value, constants);
    if (source !== undefined) yield { source, flags: 'u' };
  }
  if (key === 'patternProperties')
    for (const each of (value['properties'] ?? []) as Node[]) {
      const name = each['key'] as Node | undefined;
      const source =
        name?.['type'] === 'Computed' ? textOf(name['expression'] as Node, constants) : name?.['value'];
      if (source !== undefined) yield { source: String(source), flags: 'u' };
    }
}

/** The text of a literal, a template, a sum, a constant, or the `.source` of one. */
function textOf(node: Node | undefined, constants: Constants, depth = 0): string | undefined {
  if (node === undefined || depth > 20) return undefined;
  const text = (each: unknown) => textOf(each as Node, constants, depth + 1);
  switch (node['type']) {
    case 'NumericLiteral':
    case 'StringLiteral':
      return String(node['value']);
    case 'RegExpLiteral':
      return String(node['pattern']);
    case 'ParenthesisExpression':
    case 'TsAsExpression':
    case 'TsConstAssertion':
      return text(node['expression']);
    case 'Identifier':
      return text(constants.get(String(node['value'])));
    case 'MemberExpression':
      return (node['property'] as Node)['value'] === 'source' ? text(node['object']) : undefined;
    case 'BinaryExpression':
      return combined(String(node['operator']), text(node['left']), text(node['right']));
    case 'TemplateLiteral':
      return template(node, 'cooked', text);
    case 'TaggedTemplateExpression':
      return template(node['template'] as Node, 'raw', text);
    default:
      return undefined;
  }
}

function template(node: Node, form: 'cooked' | 'raw', text: (each: unknown) => string | undefined) {
  const quasis = node['quasis'] as Node[];
  const between = node['expressions'] as unknown[];
  return joined(
    quasis.flatMap((each, at) => [String(each[form]), ...(at < between.length ? [text(between[at])] : [])]),
  );
}

/** A sum of texts, or a difference of numbers as in `{0,${LONGEST - 1}}`. */
function combined(operator: string, left: string | undefined, right: string | undefined): string | undefined {
  if (operator === '+') return joined([left, right]);
  return operator === '-' ? String(Number(left) - Number(right)) : undefined;
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}

function verdictOf(pattern: Pattern): string | undefined {
  if (isPlainlyLinear(pattern)) return undefined;
  // recheck does not know the flag v, whose classes read as those of u where they hold no set operations.
  const flags = pattern.flags.replace('v', 'u');
  const key = `/${pattern.source}/${flags}`;
  if (!verdicts.has(key)) verdicts.set(key, judge(pattern.source, flags));
  return verdicts.get(key);
}

function judge(source: string, flags: string): string | undefined {
  const result = checkSync(source, flags, { ...STEADY, timeout: TIMEOUT });
  if (result.status === 'safe') return undefined;
  if (result.status === 'vulnerable') return `${result.complexity.type} in the length of the text`;
  return `cannot be judged: ${result.error.kind}`;
}

/**
 * Linear by its form: nothing repeats without end, or one class does in a pattern that starts at one place only.
 * Groups that repeat, references back and looking around an endless repetition are for recheck.
 */
function isPlainlyLinear({ source, flags }: Pattern): boolean {
  const bare = source.replaceAll(/\\[^\dkpPux]/g, 'e').replaceAll(/\[(?:[^\]\\]|\\.)*\]?/g, 'c');
  if (/\\[1-9k]|\)[*+{]/.test(bare)) return false;
  const repeats = bare.match(/[*+]|\{\d{1,9},(?:\d{3,9})?\}|\{\d{3,9}\}/g)?.length ?? 0;
  if (repeats !== 1) return repeats === 0;
  if (/\(\?<?[=!]/.test(bare)) return false;
  return flags.includes('y') || (bare.startsWith('^') && !flags.includes('m') && !hasAlternatives(bare));
}

/** Alternatives outside of every group: what precedes the first belongs to it alone. */
function hasAlternatives(bare: string): boolean {
  const outer = bare.replaceAll(/\([^()]{0,1000}\)/g, 'g');
  return outer === bare ? bare.includes('|') : hasAlternatives(outer);
}
