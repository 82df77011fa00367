/** A catalog being built from the statements of a dump. */
import type { Node } from 'libpg-query';
import type { Written } from './rules.js';
import { keyOf, type SqlName } from './nodes.js';

export interface ColumnDraft {
  type: string;
  required?: true;
  default?: string | number | boolean | null | { generated: 'identity' | 'now' | 'uuid' };
  generated?: true;
  enum?: readonly string[];
  comment?: string;
  base?: string;
}

export interface PolicyDraft {
  as?: 'restrictive';
  for?: string;
  to?: string[];
  using?: Written | boolean;
  check?: Written | boolean;
}

export type Columns = '*' | string[];

export interface GrantDraft {
  select?: Columns;
  insert?: Columns;
  update?: Columns;
  delete?: true;
}

export interface ForeignKeyDraft {
  columns: string[];
  references: { schema: string; relation: string; columns: string[] };
  onDelete?: string;
  onUpdate?: string;
}

/** Empty parts are left out of the file. */
export interface RelationDraft {
  readonly name: SqlName;
  kind: 'table' | 'view';
  comment?: string;
  from?: SqlName;
  where?: Written | boolean;
  isInvoker?: boolean;
  /** A view has those renamed by `base`. */
  readonly columns: Map<string, ColumnDraft>;
  primaryKey: string[];
  readonly unique: Map<string, string[]>;
  readonly indexes: string[][];
  readonly checks: Map<string, Written>;
  readonly foreignKeys: Map<string, { draft: ForeignKeyDraft; line: number }>;
  readonly grants: Map<string, GrantDraft>;
  readonly policies: Map<string, PolicyDraft>;
  hasRowSecurity: boolean;
  /** Line of its last policy. */
  policyLine: number;
}

/** What the catalog does not hold, for people. */
export interface Omission {
  readonly schema: string;
  readonly line: number;
  readonly text: string;
}

/** A domain: its underlying type and its checks, which call the column `value`. */
export interface DomainDraft {
  readonly type: string;
  readonly checks: readonly Node[];
}

export class Draft {
  readonly relations = new Map<string, RelationDraft>();
  readonly enums = new Map<string, readonly string[]>();
  readonly domains = new Map<string, DomainDraft>();
  readonly omissions: Omission[] = [];
  /** Whether the dump grants anything: then everything else is denied. */
  hasGrants = false;

  omit(schema: string, line: number, text: string): void {
    this.omissions.push({ schema, line, text });
  }

  relation(name: SqlName): RelationDraft | undefined {
    return this.relations.get(keyOf(name));
  }

  add(name: SqlName, kind: RelationDraft['kind']): RelationDraft {
    const relation: RelationDraft = {
      name,
      kind,
      columns: new Map(),
      primaryKey: [],
      unique: new Map(),
      indexes: [],
      checks: new Map(),
      foreignKeys: new Map(),
      grants: new Map(),
      policies: new Map(),
      hasRowSecurity: false,
      policyLine: 0,
    };
    this.relations.set(keyOf(name), relation);
    return relation;
  }

  /** A relation that a catalog cannot hold. */
  leaveOut(name: SqlName, line: number, why: string): void {
    this.relations.delete(keyOf(name));
    this.omit(name.schema, line, `${why}: ${shown(name)}`);
  }
}

export function shown({ schema, name }: SqlName): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}
