/**
 * From rows to JSON text. A level makes the texts of its cells, one per output key: an embed puts them into an
 * object, a spread into its parent.
 */
import type { Embed, Level, Output } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { groupRows, throughSpread, type GroupColumn } from './aggregate.js';
import type { ReadContext } from './context.js';
import { relatedRows } from './embed.js';
import { stripNulls } from './strip-nulls.js';

/** The JSON texts of a row's cells, in the order of `Level.keys`. */
export type Cells = readonly string[];
/** Appends its cells for a row. */
export type CellWriter = (row: StoredRow, cells: string[]) => void;

export interface RenderOptions {
  /** Leave out members that are null, at every depth. */
  readonly stripNulls: boolean;
}

/** One JSON object per row. */
export async function renderObjects(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<string[]> {
  const cells = await renderCells(context, level, rows, options);
  const write = objectWriter(level.keys, options);
  return cells.map(write);
}

/** The cells of each row; of grouped rows, of each group. */
export async function renderCells(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<Cells[]> {
  if (level.grouped) return groupRows(await groupColumns(context, level, rows, options), rows);
  const writers = await Promise.all(
    level.output.map((item) => cellWriter(context, level, item, rows, options)),
  );
  return rows.map((row) => {
    const cells: string[] = [];
    for (const write of writers) write(row, cells);
    return cells;
  });
}

/** What the rows are grouped by, and what is aggregated; those of a to-one spread belong to its parent. */
async function groupColumns(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<GroupColumn[]> {
  const columns = await Promise.all(
    level.output.map(async (item): Promise<GroupColumn[]> => {
      if (item.kind === 'aggregate') {
        return [{ kind: 'aggregate', aggregate: item.aggregate, rowOf: (row) => row }];
      }
      if (item.kind !== 'spread' || !item.embed.level.grouped) {
        return [{ kind: 'group', write: await cellWriter(context, level, item, rows, options) }];
      }
      const related = await relatedRows(context, level, item.embed, rows);
      const children = [...new Set(rows.flatMap((row) => related(row)))];
      const inner = await groupColumns(context, item.embed.level, children, options);
      return inner.map((column) => throughSpread(column, (row) => related(row)[0]));
    }),
  );
  return columns.flat();
}

async function cellWriter(
  context: ReadContext,
  level: Level,
  item: Output,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<CellWriter> {
  switch (item.kind) {
    case 'value': {
      const { value } = item;
      const { type } = value;
      return (row, cells) => {
        const stored = value.read(row);
        cells.push(stored === null ? 'null' : strip(type.toJson(stored), type.family === 'json', options));
      };
    }
    case 'aggregate':
      return () => undefined;
    case 'embed':
      return embedWriter(context, level, item.embed, rows, options);
    case 'spread':
      return spreadWriter(context, level, item.embed, rows, options);
  }
}

/** An object or null for a to-one embed, an array otherwise. */
async function embedWriter(
  context: ReadContext,
  level: Level,
  embed: Embed,
  parents: readonly StoredRow[],
  options: RenderOptions,
): Promise<CellWriter> {
  const { groups, rendered } = await renderEmbed(context, level, embed, parents, options, renderObjects);
  return (parent, cells) => {
    const texts = rendered(groups(parent));
    cells.push(embed.toOne ? (texts[0] ?? 'null') : `[${texts.join(',')}]`);
  };
}

/** Each cell of the related rows becomes one of the parent's: the value itself, or an array of the values. */
async function spreadWriter(
  context: ReadContext,
  level: Level,
  embed: Embed,
  parents: readonly StoredRow[],
  options: RenderOptions,
): Promise<CellWriter> {
  const { groups, rendered } = await renderEmbed(context, level, embed, parents, options, renderCells);
  const { keys } = embed.level;
  return (parent, cells) => {
    const related = rendered(groups(parent));
    for (const at of keys.keys()) {
      const texts = related.map((row) => row[at]!);
      cells.push(embed.toOne ? (texts[0] ?? 'null') : `[${texts.join(',')}]`);
    }
  };
}

interface RenderedEmbed<T> {
  readonly groups: (parent: StoredRow) => readonly StoredRow[];
  readonly rendered: (rows: readonly StoredRow[]) => readonly T[];
}

type Render<T> = (
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
) => Promise<T[]>;

/** A row that several parents share is rendered once. */
async function renderEmbed<T>(
  context: ReadContext,
  level: Level,
  embed: Embed,
  parents: readonly StoredRow[],
  options: RenderOptions,
  render: Render<T>,
): Promise<RenderedEmbed<T>> {
  const groups = await relatedRows(context, level, embed, parents);
  if (embed.level.grouped) return renderGroups(context, embed, parents, groups, options, render);
  const distinct = [...new Set(parents.flatMap((parent) => groups(parent)))];
  const texts = await render(context, embed.level, distinct, options);
  const textOf = new Map(distinct.map((row, at) => [row, texts[at]!]));
  return { groups, rendered: (rows) => rows.map((row) => textOf.get(row)!) };
}

/** Aggregates are made per parent. */
async function renderGroups<T>(
  context: ReadContext,
  embed: Embed,
  parents: readonly StoredRow[],
  groups: (parent: StoredRow) => readonly StoredRow[],
  options: RenderOptions,
  render: Render<T>,
): Promise<RenderedEmbed<T>> {
  const lists = new Map(parents.map((parent) => [parent, groups(parent)] as const));
  const texts = new Map(
    await Promise.all(
      [...new Set(lists.values())].map(
        async (rows) => [rows, await render(context, embed.level, rows, options)] as const,
      ),
    ),
  );
  return { groups: (parent) => lists.get(parent)!, rendered: (rows) => texts.get(rows)! };
}

function objectWriter(keys: readonly string[], options: RenderOptions): (cells: Cells) => string {
  const names = keys.map((key) => `${JSON.stringify(key)}:`);
  if (options.stripNulls) {
    return (cells) =>
      `{${cells.flatMap((cell, at) => (cell === 'null' ? [] : [names[at]! + cell])).join(',')}}`;
  }
  return (cells) => {
    let text = '';
    for (let at = 0; at < cells.length; at += 1) text += (at === 0 ? '{' : ',') + names[at]! + cells[at]!;
    return text === '' ? '{}' : `${text}}`;
  };
}

function strip(json: string, isDocument: boolean, options: RenderOptions): string {
  return options.stripNulls && isDocument ? stripNulls(json) : json;
}
