/** The access path of a plan. Decided before the first row is read; `explain` prints it. */
import type { Fold } from 'plugboard/sdk';
import type { AggregateOutput, Condition, Embed, Level, Ordering, Output } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';

/** What every node states about itself. */
export interface Reasoned {
  readonly reason: string;
  /** Rows that it reads, at least; undefined if unknown beforehand. */
  readonly estimate: number | undefined;
}

/** `otherwise` is used if the rows read show that a node is the wrong choice: see each of them. */
export type Access = Probe | RowAccess | GroupAccess;

/** Reads the rows in order, and checks some at a time for related rows. */
export interface Probe extends Reasoned {
  readonly kind: 'probe';
  readonly own: readonly Condition[];
  readonly asked: readonly Condition[];
  /** The members by which related rows are found. */
  readonly members: ReadonlySet<string>;
  /** Rows of the window and before it. */
  readonly most: number;
  /** After this many rows, or too many related ones, related rows are rare: `otherwise`. */
  readonly looks: number;
  readonly firstGroup: number;
  readonly otherwise: RowAccess;
}

/** Rows that pass the conditions, once `lookup` has turned them into conditions on the level's own columns. */
export type RowAccess = Scan | Stream | KeyRange | AlongEmbed | SortByEmbeds;

interface Looked extends Reasoned {
  readonly lookup: Lookup;
}

/** One query for the window; the rest of the conditions is evaluated here. */
export interface Scan extends Looked {
  readonly kind: 'scan';
}

/** The same for a window of unknown size: row by row as the client reads. */
export interface Stream extends Looked {
  readonly kind: 'stream';
}

/** The window is ordered by keys that a lookup finds: the first of many keys are enough. */
export interface KeyRange extends Looked {
  readonly kind: 'key-range';
  /** The condition that becomes the keys. */
  readonly keyed: RelatedCondition;
  readonly descending: boolean;
  readonly most: number;
  /** For fewer keys, or keys that stores may order differently. */
  readonly otherwise: Scan;
}

/** Reads the rows of a to-one embed in order, and the level's rows from there. */
export interface AlongEmbed extends Looked {
  readonly kind: 'along-embed';
  readonly embed: Embed;
  readonly join: Extract<Embed['join'], { kind: 'direct' }>;
  /** The order of the related rows themselves. */
  readonly ordering: Ordering;
  readonly most: number;
  /** With this many related rows, few of them have a row that passes: `otherwise`. */
  readonly looks: number;
  readonly otherwise: SortByEmbeds;
}

/** All rows that pass, sorted here by the values of their embeds. */
export interface SortByEmbeds extends Looked {
  readonly kind: 'sort-by-embeds';
}

export type GroupAccess = StoreGroups | RowGroups | GatheredGroups;

export function isGroupAccess(access: Access): access is GroupAccess {
  return access.kind.endsWith('-groups');
}

/** Storage makes the groups and returns no rows. */
export interface StoreGroups extends Looked {
  readonly kind: 'store-groups';
  readonly by: readonly string[];
  readonly folds: readonly Fold[];
  readonly cells: readonly GroupCell[];
  /** For sums that may not be exact. */
  readonly otherwise: RowGroups;
}

/** A cell of a group made by storage: the item's index in `by`, or indexes in the folds. */
export type GroupCell =
  | { readonly kind: 'by'; readonly at: number; readonly item: Extract<Output, { kind: 'value' }> }
  | {
      readonly kind: 'fold';
      readonly aggregate: AggregateOutput;
      /** The count of its values; undefined if it is that of the rows. */
      readonly counted: number | undefined;
      readonly of: { readonly part: 'best' | 'digits'; readonly at: number } | undefined;
    };

/** The rows are added to their groups one by one. */
export interface RowGroups extends Looked {
  readonly kind: 'row-groups';
}

/** Holds all rows, as cells of their groups come from other relations. */
export interface GatheredGroups extends Looked {
  readonly kind: 'gathered-groups';
}

/** How a level's conditions on related rows become conditions on its own columns. */
export type Lookup = Own | LookAtFew | KeySets;

/** None of them asks. */
export interface Own extends Reasoned {
  readonly kind: 'own';
}

/** The level's own conditions leave few rows, which are checked: the other side may have any number. */
export interface LookAtFew extends Reasoned {
  readonly kind: 'look-at-few';
  readonly rows: readonly StoredRow[];
  readonly own: readonly Condition[];
  readonly asked: readonly Condition[];
  /** If they have too many related rows. */
  readonly otherwise: KeySets;
}

/** Each condition becomes the keys of the rows related to those of the other side. */
export interface KeySets extends Reasoned {
  readonly kind: 'key-sets';
  readonly keys: ReadonlyMap<RelatedCondition, KeyAccess>;
}

export type RelatedCondition = Extract<Condition, { kind: 'related' }>;

/** Where the keys of one condition come from. */
export type KeyAccess =
  | SampledKeys
  | StoredKeys
  | RowKeys
  /** From the side of the related rows to the junction, and on. */
  | (Reasoned & {
      readonly kind: 'through';
      readonly target: DirectKeys;
      readonly links: StoredKeys | RowKeys;
    })
  /** The module's function is called for each parent. */
  | (Reasoned & { readonly kind: 'called'; readonly parents: Lookup; readonly related: Lookup });

export type DirectKeys = SampledKeys | StoredKeys | RowKeys;

/** Of sampled rows. */
interface SampledKeys extends Reasoned {
  readonly kind: 'sampled-keys';
  readonly rows: readonly StoredRow[];
}

/** Storage groups the rows by key; rows of few keys are read instead, which is cheaper. */
export interface StoredKeys extends Looked {
  readonly kind: 'stored-keys';
}

/** From rows read one by one. */
export interface RowKeys extends Looked {
  readonly kind: 'row-keys';
}

/** For a whole request: reads of the embeds follow from the keys of their parents. */
export interface Decision {
  readonly kind: 'decided';
  readonly root: Access;
  readonly lookups: Lookups;
}

/** Lookups of embedded levels, by their conditions. */
export type Lookups = ReadonlyMap<Level['conditions'], Lookup | LookAfter>;

/** The parents' rows are read first and then checked: they are fewer than the relation has. */
export interface LookAfter extends Reasoned {
  readonly kind: 'look-after';
  readonly own: readonly Condition[];
  readonly asked: readonly Condition[];
  readonly members: ReadonlySet<string>;
  /** If they are too many, or have too many related rows. */
  readonly otherwise: Lookup;
}
