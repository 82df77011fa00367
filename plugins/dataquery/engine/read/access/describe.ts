/** A decision as `explain` prints it: its nodes by name, with reason, estimate and children. */
import type { Level } from '../../plan/level.js';
import type { Access, Decision, KeyAccess, LookAfter, Lookup } from './access.js';
import { followed } from './lookup.js';

export interface Described {
  /** Its role in the parent node: `Lookup`, `Otherwise`, or the relation's name. */
  readonly role: string;
  readonly node: string;
  readonly reason: string;
  readonly estimate: number | undefined;
  readonly parts: readonly Described[];
}

export function describe({ root, lookups }: Decision, level: Level): readonly Described[] {
  const described = [describeNode(level.relation.name, root)];
  const visit = (parent: Level, path: string): void => {
    for (const { name, level: child } of followed(parent)) {
      const at = `${path}${name}`;
      const lookup = lookups.get(child.conditions);
      if (lookup !== undefined) described.push(describeNode(at, lookup));
      visit(child, `${at}.`);
    }
  };
  visit(level, '');
  return described;
}

type Node = Access | Lookup | LookAfter | KeyAccess;

function describeNode(role: string, node: Node, above?: Node): Described {
  const { kind, reason, estimate } = node;
  const parts: Described[] = [];
  const isOfAbove =
    above !== undefined && 'lookup' in node && 'lookup' in above && above.lookup === node.lookup;
  if ('lookup' in node && node.lookup.kind !== 'own' && !isOfAbove)
    parts.push(describeNode('Lookup', node.lookup));
  if (node.kind === 'key-sets')
    for (const [{ embed }, keys] of node.keys) parts.push(describeNode(embed.name, keys));
  if (node.kind === 'through')
    parts.push(describeNode('Target', node.target), describeNode('Links', node.links));
  if ('otherwise' in node) parts.push(describeNode('Otherwise', node.otherwise, node));
  return { role, node: NAMES[kind], reason, estimate, parts };
}

const NAMES: Readonly<Record<Node['kind'], string>> = {
  probe: 'Probe',
  scan: 'Scan',
  stream: 'Stream',
  'key-range': 'Key Range',
  'along-embed': 'Along Embed',
  'sort-by-embeds': 'Sort by Embeds',
  'store-groups': 'Store Groups',
  'row-groups': 'Row Groups',
  'gathered-groups': 'Gathered Groups',
  'look-after': 'Look After',
  own: 'Own Columns',
  'look-at-few': 'Look at Few',
  'key-sets': 'Key Sets',
  'sampled-keys': 'Sampled Keys',
  'stored-keys': 'Stored Keys',
  'row-keys': 'Row Keys',
  through: 'Through Junction',
  called: 'Function Calls',
};
