/** How the rows of a plan are found. It is decided before the first of them is read, and `explain` prints it. */
import type { Fold } from 'plugboard/sdk';
import type { AggregateOutput, Condition, Embed, Level, Ordering, Output } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';

/** What every node says of itself. */
export interface Reasoned {
  readonly reason: string;
  /** Rows that it looks at, at least; undefined where that is not known before. */
  readonly estimate: number | undefined;
}

/** `otherwise` is taken where what is read shows that a node is the wrong one: see each of them. */
export type Access = Probe | RowAccess | GroupAccess;

/** Goes along the rows in their order, and asks of some at a time whether they have related rows. */
export interface Probe extends Reasoned {
  readonly kind: 'probe';
  readonly own: readonly Condition[];
  readonly asked: readonly Condition[];
  /** The members of the rows that tell what is related to them. */
  readonly members: ReadonlySet<string>;
  /** Rows of the window and before it. */
  readonly most: number;
  /** After so many rows, or too many related ones, the related rows are rare: `otherwise`. */
  readonly looks: number;
  readonly firstGroup: number;
  readonly otherwise: RowAccess;
}

/** Rows that pass the conditions, once `lookup` has made conditions of the level's own columns of them. */
export type RowAccess = Scan | Stream | KeyRange | AlongEmbed | SortByEmbeds;

interface Looked extends Reasoned {
  readonly lookup: Lookup;
}

/** One query for the window; what storage does not decide is decided here. */
export interface Scan extends Looked {
  readonly kind: 'scan';
}

/** The same for a window of unknown size: row by row as the client takes them. */
export interface Stream extends Looked {
  readonly kind: 'stream';
}

/** The window is ordered by keys that a lookup finds: it is found by the first of them, where they are many. */
export interface KeyRange extends Looked {
  readonly kind: 'key-range';
  /** The condition that becomes the keys. */
  readonly keyed: RelatedCondition;
  readonly descending: boolean;
  readonly most: number;
  /** For fewer keys, or such that stores may order in different ways. */
  readonly otherwise: Scan;
}

/** Goes along the rows of a to-one embed in their order, and to those of the level from there. */
export interface AlongEmbed extends Looked {
  readonly kind: 'along-embed';
  readonly embed: Embed;
  readonly join: Extract<Embed['join'], { kind: 'direct' }>;
  /** That of the related rows themselves. */
  readonly ordering: Ordering;
  readonly most: number;
  /** With so many related rows few of them have one that passes: `otherwise`. */
  readonly looks: number;
  readonly otherwise: SortByEmbeds;
}

/** All rows that pass, sorted here by what their embeds lead to. */
export interface SortByEmbeds extends Looked {
  readonly kind: 'sort-by-embeds';
}

export type GroupAccess = StoreGroups | RowGroups | GatheredGroups;

export function isGroupAccess(access: Access): access is GroupAccess {
  return access.kind.endsWith('-groups');
}

/** Storage makes the groups, and hands out no row. */
export interface StoreGroups extends Looked {
  readonly kind: 'store-groups';
  readonly by: readonly string[];
  readonly folds: readonly Fold[];
  readonly cells: readonly GroupCell[];
  /** For sums that may not be exact. */
  readonly otherwise: RowGroups;
}

/** A cell of a group that storage makes: the item's place among `by`, or places among the folds. */
export type GroupCell =
  | { readonly kind: 'by'; readonly at: number; readonly item: Extract<Output, { kind: 'value' }> }
  | {
      readonly kind: 'fold';
      readonly aggregate: AggregateOutput;
      /** The number of its values; undefined where it is that of the rows. */
      readonly counted: number | undefined;
      readonly of: { readonly part: 'best' | 'digits'; readonly at: number } | undefined;
    };

/** The rows are added to their groups one by one. */
export interface RowGroups extends Looked {
  readonly kind: 'row-groups';
}

/** All rows are held, as cells of their groups are read of other relations. */
export interface GatheredGroups extends Looked {
  readonly kind: 'gathered-groups';
}

/** How the conditions of a level that ask of related rows become conditions of its own columns. */
export type Lookup = Own | LookAtFew | KeySets;

/** None of them asks. */
export interface Own extends Reasoned {
  readonly kind: 'own';
}

/** The level's own conditions leave few rows, which are looked at: the other side may have as many as it likes. */
export interface LookAtFew extends Reasoned {
  readonly kind: 'look-at-few';
  readonly rows: readonly StoredRow[];
  readonly own: readonly Condition[];
  readonly asked: readonly Condition[];
  /** Where they have too many related rows. */
  readonly otherwise: KeySets;
}

/** Each condition becomes the keys of the rows that are related to those of the other side. */
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
  /** The function of a module is called for each of the parents. */
  | (Reasoned & { readonly kind: 'called'; readonly parents: Lookup; readonly related: Lookup });

export type DirectKeys = SampledKeys | StoredKeys | RowKeys;

/** Of rows that the statistics have. */
interface SampledKeys extends Reasoned {
  readonly kind: 'sampled-keys';
  readonly rows: readonly StoredRow[];
}

/** Storage groups the rows by their key; those of few keys are read instead, which takes it less. */
export interface StoredKeys extends Looked {
  readonly kind: 'stored-keys';
}

/** Of rows that are read one by one. */
export interface RowKeys extends Looked {
  readonly kind: 'row-keys';
}

/** Of a request, all of it: what is read of the embeds follows from the keys of their parents. */
export interface Decision {
  readonly kind: 'decided';
  readonly root: Access;
  readonly lookups: Lookups;
}

/** Those of the levels that are embedded, by their conditions. */
export type Lookups = ReadonlyMap<Level['conditions'], Lookup | LookAfter>;

/** The rows that belong to their parents are read, and looked at then: they are fewer than the relation has. */
export interface LookAfter extends Reasoned {
  readonly kind: 'look-after';
  readonly own: readonly Condition[];
  readonly asked: readonly Condition[];
  readonly members: ReadonlySet<string>;
  /** Where they are too many, or have too many related rows. */
  readonly otherwise: Lookup;
}
