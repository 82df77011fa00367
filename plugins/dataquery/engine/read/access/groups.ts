/** Decides who groups a level: storage, if it groups as SQL does. */
import type { Fold } from 'plugboard/sdk';
import type { AggregateOutput, Level, Output } from '../../plan/level.js';
import type { Value } from '../../plan/value.js';
import { ownComputed } from '../fields.js';
import { storageFilter } from '../split.js';
import type { GroupAccess, GroupCell, Lookup, RowGroups, StoreGroups } from './access.js';
import { supposed } from './lookup.js';

export function decideGroups(level: Level, lookup: Lookup): GroupAccess {
  if (level.embeds.length > 0 || ownComputed(level).length > 0) {
    const reason = 'groups are made of what rows lead to';
    return { kind: 'gathered-groups', reason, estimate: undefined, lookup };
  }
  const made = storageFilter(supposed(level)) === undefined ? undefined : storedGroups(level);
  const otherwise: RowGroups = {
    kind: 'row-groups',
    reason:
      made === undefined
        ? 'storage cannot make these groups'
        : 'a sum may be more than storage adds up exactly',
    estimate: undefined,
    lookup,
  };
  if (made === undefined) return otherwise;
  const reason = 'storage makes these groups as SQL does';
  return { kind: 'store-groups', reason, estimate: undefined, lookup, ...made, otherwise };
}

type StoredGroups = Pick<StoreGroups, 'by' | 'folds' | 'cells'>;

function storedGroups({ output }: Level): StoredGroups | undefined {
  const [by, folds]: [string[], Fold[]] = [[], []];
  const cells: GroupCell[] = [];
  for (const item of output) {
    const cell = cellOf(item, by, folds);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  return { by, folds, cells };
}

function cellOf(item: Output, by: string[], folds: Fold[]): GroupCell | undefined {
  if (item.kind === 'value')
    return isStored(item.value) ? { kind: 'by', at: placeOf(by, item.value.field), item } : undefined;
  return item.kind === 'aggregate' ? foldOf(item.aggregate, folds) : undefined;
}

function foldOf(aggregate: AggregateOutput, folds: Fold[]): GroupCell | undefined {
  const { name, value } = aggregate;
  const cell = { kind: 'fold', aggregate, counted: undefined, of: undefined } as const;
  if (value === undefined) return cell;
  if (!isStored(value)) return undefined;
  const place = (fold: Fold['fold']): number => folds.push({ fold, of: value.field }) - 1;
  // If no value is null there are as many as rows.
  const counted = value.nullable ? place('count') : undefined;
  if (name === 'count') return { ...cell, counted };
  if (name === 'min' || name === 'max') {
    // NaN is stored as a text, and is the greatest.
    if (!value.type.ordered || value.type.family === 'float') return undefined;
    return { ...cell, counted, of: { part: 'best', at: place(name) } };
  }
  return SHORT.has(value.type.name)
    ? { ...cell, counted, of: { part: 'digits', at: place('sum') } }
    : undefined;
}

/** Integers of at most 32 bits. */
const SHORT: ReadonlySet<string> = new Set(['smallint', 'integer']);

/** Whether storage groups the value unchanged. */
function isStored({ plain, type }: Value): boolean {
  return plain && type.equality && type.family !== 'array' && type.family !== 'unknown';
}

function placeOf(list: string[], item: string): number {
  const at = list.indexOf(item);
  return at === -1 ? list.push(item) - 1 : at;
}
