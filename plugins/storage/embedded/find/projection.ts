/** Which paths of a document an answer keeps or leaves out. */
import { StorageError } from 'plugboard/sdk';
import { setMember } from '../../bson/shape.js';
import { isPlainObject, type Values } from '../../bson/value.js';
import { checkPath } from '../values/path.js';

export type Project = (document: Values) => Values;

export interface Projection {
  readonly project: Project;
  /** The paths of an inclusive projection, with `_id`; undefined for an exclusive one. */
  readonly kept: readonly string[] | undefined;
}

/** `kept: true` at a leaf; an inner node names the members to look into. */
interface Tree extends Map<string, Tree | true> {}

/** Compiled frozen projections: callers that repeat one freeze it. */
const compiled = new WeakMap<object, Projection | undefined>();

/** Undefined if everything is kept. Throws `invalid`. */
export function compileProjection(
  given: Readonly<Record<string, unknown>> | undefined,
): Projection | undefined {
  if (given === undefined) return undefined;
  if (compiled.has(given)) return compiled.get(given);
  const projection = compile(given);
  if (Object.isFrozen(given)) compiled.set(given, projection);
  return projection;
}

function compile(given: Readonly<Record<string, unknown>>): Projection | undefined {
  const flags = Object.entries(given).map(([path, flag]) => [checkPath('projection', path), flag] as const);
  if (flags.length === 0) return undefined;
  const wrong = flags.find(([, flag]) => flag !== 0 && flag !== 1);
  if (wrong !== undefined) throw new StorageError('invalid', `projection: "${wrong[0]}" takes 0 or 1`);
  const others = flags.filter(([path]) => path !== '_id');
  const [, first] = others[0] ?? flags[0]!;
  if (others.some(([, flag]) => flag !== first))
    throw new StorageError('invalid', 'a projection keeps paths or leaves paths out, not both');
  const keepsId = given['_id'] !== 0;
  const paths = others.map(([path]) => path);
  if (keepsId === (first === 1)) paths.unshift('_id');
  const tree = treeOf(paths);
  return first === 1
    ? { project: (document) => keep(document, tree), kept: paths }
    : { project: (document) => omit(document, tree), kept: undefined };
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    const parts = path.split('.');
    let node = root;
    for (const part of parts.slice(0, -1)) {
      const inner = node.get(part);
      if (inner === true) throw new StorageError('invalid', `a projection names "${path}" and a part of it`);
      const next: Tree = inner ?? new Map();
      node.set(part, next);
      node = next;
    }
    if (node.has(parts.at(-1)!))
      throw new StorageError('invalid', `a projection names "${path}" and a part of it`);
    node.set(parts.at(-1)!, true);
  }
  return root;
}

function keep(object: Values, tree: Tree): Values {
  const kept: Values = {};
  for (const [name, value] of Object.entries(object)) {
    const node = tree.get(name);
    if (node === true) setMember(kept, name, value);
    else if (node !== undefined) {
      const inner = keepIn(value, node);
      if (inner !== undefined) setMember(kept, name, inner);
    }
  }
  return kept;
}

function keepIn(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value))
    return value.map((item) => keepIn(item, tree)).filter((item) => item !== undefined);
  return isPlainObject(value) ? keep(value, tree) : undefined;
}

function omit(object: Values, tree: Tree): Values {
  const left: Values = {};
  for (const [name, value] of Object.entries(object)) {
    const node = tree.get(name);
    if (node === undefined) setMember(left, name, value);
    else if (node !== true) setMember(left, name, omitIn(value, node));
  }
  return left;
}

function omitIn(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => omitIn(item, tree));
  return isPlainObject(value) ? omit(value, tree) : value;
}
