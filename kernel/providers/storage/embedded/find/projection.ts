/** Which paths of a document an answer keeps or leaves out. */
import { StorageError } from '../../../../sdk/storage.js';
import { isPlainObject, type Values } from '../../bson/value.js';

export type Project = (document: Values) => Values;

/** `kept: true` at a leaf; an inner node names the members to look into. */
interface Tree extends Map<string, Tree | true> {}

export function compileProjection(
  projection: Readonly<Record<string, 0 | 1 | undefined>> | undefined,
): Project | undefined {
  if (projection === undefined) return undefined;
  const entries = Object.entries(projection).filter(([, flag]) => flag !== undefined);
  if (entries.length === 0) return undefined;
  const others = entries.filter(([path]) => path !== '_id');
  const keeps = others.length > 0 ? others[0]![1] === 1 : entries[0]![1] === 1;
  if (others.some(([, flag]) => (flag === 1) !== keeps))
    throw new StorageError('invalid', 'a projection keeps paths or leaves paths out, not both');
  const tree = treeOf(others.map(([path]) => path));
  const id = projection['_id'];
  if (keeps ? id !== 0 : id === 0) tree.set('_id', true);
  return keeps ? (document) => keep(document, tree) : (document) => omit(document, tree);
}

/** The paths that a projection keeps; undefined when it keeps all but some. */
export function keptPaths(
  projection: Readonly<Record<string, 0 | 1 | undefined>> | undefined,
): string[] | undefined {
  if (projection === undefined) return undefined;
  const kept = Object.entries(projection)
    .filter(([, flag]) => flag === 1)
    .map(([path]) => path);
  if (kept.length === 0) return undefined;
  return projection['_id'] === 0 ? kept : ['_id', ...kept.filter((path) => path !== '_id')];
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
    if (node === true) kept[name] = value;
    else if (node !== undefined) {
      const inner = keepIn(value, node);
      if (inner !== undefined) kept[name] = inner;
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
    if (node === undefined) left[name] = value;
    else if (node !== true) left[name] = omitIn(value, node);
  }
  return left;
}

function omitIn(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => omitIn(item, tree));
  return isPlainObject(value) ? omit(value, tree) : value;
}
