/** mem0's entities (user, agent, app, run), and where an entry stores them. */
import type { EntryDocument } from '../../engine/entries/document.js';
import { packMetadata } from '../../engine/entries/metadata.js';

/** By kind: the name of the id in bodies and filters. */
export const ENTITY_FIELDS = {
  user: 'user_id',
  agent: 'agent_id',
  app: 'app_id',
  run: 'run_id',
} as const;

export type EntityKind = keyof typeof ENTITY_FIELDS;
export type EntityField = (typeof ENTITY_FIELDS)[EntityKind];
export type EntityIds = Partial<Record<EntityField, string | null>>;

const KINDS = Object.keys(ENTITY_FIELDS) as EntityKind[];

export function isEntityKind(text: string): text is EntityKind {
  return (KINDS as readonly string[]).includes(text);
}

export function isEntityField(text: string): text is EntityField {
  return (Object.values(ENTITY_FIELDS) as readonly string[]).includes(text);
}

/** Its path in a document, and its stored value. Agents and apps are metadata members. */
export function storedId(field: EntityField, value: string): [path: string, stored: string] {
  if (field === 'user_id') return ['userId', value];
  if (field === 'run_id') return ['sessionId', value];
  const [[name, packed] = ['', '']] = Object.entries(packMetadata({ [field]: value }));
  return [`metadata.${name}`, packed];
}

type Owned = Pick<EntryDocument, 'userId' | 'sessionId' | 'metadata'>;

/** Null: none. */
export function entityId({ userId = null, sessionId, metadata }: Owned, field: EntityField): string | null {
  if (field === 'user_id') return userId;
  if (field === 'run_id') return sessionId;
  const packed = metadata[`_${field}`];
  const value: unknown = packed === undefined ? null : JSON.parse(packed);
  return typeof value === 'string' ? value : null;
}

export interface Entity {
  readonly kind: EntityKind;
  readonly name: string;
  memories: number;
  since: Date;
  until: Date;
}

/** Counts the entities of entries, which may come in any order. */
export class EntityCount {
  readonly #found = new Map<string, Entity>();

  add(entry: Owned & Pick<EntryDocument, 'createdAt' | 'updatedAt'>): void {
    for (const kind of KINDS) {
      const name = entityId(entry, ENTITY_FIELDS[kind]);
      if (name === null) continue;
      const key = `${kind} ${name}`;
      const { createdAt, updatedAt } = entry;
      const entity = this.#found.get(key) ?? { kind, name, memories: 0, since: createdAt, until: updatedAt };
      this.#found.set(key, entity);
      entity.memories += 1;
      if (createdAt < entity.since) entity.since = createdAt;
      if (updatedAt > entity.until) entity.until = updatedAt;
    }
  }

  /** Users first, then agents, apps and runs; by name within a kind. */
  all(): Entity[] {
    const order = (a: Entity, b: Entity): number =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1);
    return [...this.#found.values()].sort(order);
  }
}
