/** A person's data: the rows of tables whose catalog declares which column holds the person. */
import { isServiceError, type PeopleData, type Person } from 'plugboard/sdk';
import { unboundedBudget } from './engine/base/unbounded-budget.js';
import type { Column, PersonColumn, Relation } from './engine/catalog/model.js';
import { SERVER } from './engine/policies/caller.js';
import { parseQuery } from './engine/query/parse.js';
import type { Stored } from './engine/values/stored.js';
import type { WriteRequest } from './engine/write/request.js';
import { recordOf } from './engine/write/told.js';
import { write } from './engine/write/write.js';
import type { DataService } from './service.js';

/** Rows in one deletion. */
const BATCH = 500;

export function peopleData(service: DataService): PeopleData {
  return {
    async *export(person) {
      for (const { relation, column, value } of ownRows(service, person))
        for await (const row of service.store.collection(relation).find({ [column.field]: value }))
          yield { schema: relation.schema, relation: relation.name, row: recordOf(relation, row) };
    },
    async erase(person) {
      let erased = 0;
      let tables = ownRows(service, person);
      // Referenced rows wait for the others.
      while (tables.length > 0) {
        const referred: OwnRows[] = [];
        let last: unknown;
        for (const own of tables) {
          try {
            erased += await eraseRows(service, own);
          } catch (error) {
            if (!isServiceError(error) || error.code !== '23503') throw error;
            referred.push(own);
            last = error;
          }
        }
        if (referred.length === tables.length) throw last;
        tables = referred;
      }
      return erased;
    },
  };
}

interface OwnRows {
  readonly relation: Relation;
  readonly column: Column;
  readonly text: string;
  /** As the column stores it. */
  readonly value: Stored;
}

function ownRows({ state }: DataService, person: Person): OwnRows[] {
  const own: OwnRows[] = [];
  for (const { relations } of state.catalog.schemas.values()) {
    for (const relation of relations.values()) {
      if (relation.person === undefined) continue;
      const text = textOf(relation.person, person);
      const column = relation.columns.get(relation.person.column);
      const value = text === undefined || column === undefined ? undefined : storedOf(column, text);
      if (value !== undefined) own.push({ relation, column: column!, text: text!, value });
    }
  }
  return own;
}

/** Undefined for a person that the column cannot identify. */
function textOf({ holds, issuer: of }: PersonColumn, { id, userId }: Person): string | undefined {
  if (holds === 'number') return id?.toString();
  if (userId === undefined) return undefined;
  const bar = userId.indexOf('|');
  if (of !== undefined && userId.slice(0, bar) !== of) return undefined;
  return holds === 'subject' ? userId.slice(bar + 1) : userId;
}

/** Undefined if the column cannot hold it: a subject that is not a number is in no column of numbers. */
function storedOf({ type }: Column, text: string): Stored | undefined {
  try {
    return type.parse(text);
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}

/** As a DELETE does it: foreign keys decide about referring rows, and subscribers get the changes. */
async function eraseRows(service: DataService, { relation, column, text }: OwnRows): Promise<number> {
  const filter = `${encodeURIComponent(column.name)}=eq.${encodeURIComponent(text)}`;
  const request: WriteRequest = {
    verb: 'delete',
    relation,
    query: parseQuery(`${filter}&limit=${BATCH}`),
    body: () => Promise.resolve({ rows: [], keys: [] }),
    missingDefault: false,
    resolution: undefined,
    represents: false,
    locates: false,
    maxAffected: undefined,
    single: false,
    stripNulls: false,
    rollback: false,
    erases: true,
  };
  for (let erased = 0; ;) {
    const { affected } = await service.write(() =>
      write({ ...service.context(SERVER), budget: unboundedBudget() }, request),
    );
    erased += affected;
    if (affected < BATCH) return erased;
  }
}
