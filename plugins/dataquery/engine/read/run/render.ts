/**
 * From rows to JSON text. A level is prepared once per batch of rows: fetches everything embedded in them, and returns
 * plain functions from a row to text.
 */
import { eachPaced, type Budget } from '../../base/budget.js';
import type { Embed, Level, Output } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';
import { Groups, throughSpread, type GroupColumn } from '../aggregate.js';
import { memberNames, objectOf, ownText, separators, type RenderOptions, type TextOf } from '../cell-text.js';
import type { ReadContext } from '../context.js';
import { followEmbeds, relatedRows, type Related } from './embed.js';
import { printedFields } from '../fields.js';
import { isLongIn } from '../long-rows.js';
import { orderedObjects } from './ordered-groups.js';

/** One JSON object per row, or per group. */
export async function renderObjects(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<string[]> {
  if (!level.grouped) {
    const { textOf, inTurns } = await objectText(context, level, rows, options);
    const printed = printedFields(level);
    const texts: string[] = [];
    let length = 0;
    for (const row of rows) {
      if (context.budget.isDue) await context.budget.pause();
      const text = isLongIn(row, printed) ? await inTurns(row) : textOf(row);
      // Counted on the way, so that a response too long is not built.
      context.budget.checkLength((length += text.length));
      texts.push(text);
    }
    return texts;
  }
  const columns = await groupColumns(context, level, rows, options);
  const groups = new Groups(columns);
  await eachPaced(context.budget, rows, (row) => groups.add(row));
  return orderedObjects(context, level, groups.cells(), options, followEmbeds(context));
}

interface ObjectText {
  readonly textOf: TextOf;
  /** The same for a row with cells that take milliseconds: yields to the event loop between two cells. */
  readonly inTurns: (row: StoredRow) => Promise<string>;
}

async function objectText(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<ObjectText> {
  const { budget } = context;
  const cells = await cellTexts(context, level, rows, options);
  const names = memberNames(level, options);
  const inTurns = async (row: StoredRow): Promise<string> => {
    const texts: string[] = [];
    let length = 0;
    for (const cell of cells) {
      if (budget.isDue) await budget.pause();
      const text = cell(row);
      // A request may name a column thousands of times.
      budget.checkLength((length += text.length));
      texts.push(text);
    }
    return objectOf(names, texts, options);
  };
  if (options.stripNulls) {
    const textOf: TextOf = (row) =>
      objectOf(
        names,
        cells.map((cell) => cell(row)),
        options,
      );
    return { textOf, inTurns };
  }
  // The same without an array per row: this runs for every row of every response.
  const textOf: TextOf = (row) => {
    let text = '{';
    for (let at = 0; at < cells.length; at += 1) text += names[at]! + cells[at]!(row);
    return `${text}}`;
  };
  return { textOf, inTurns };
}

/** One function per key of the level. */
async function cellTexts(
  context: ReadContext,
  level: Level,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<TextOf[]> {
  if (level.embeds.length === 0) return level.output.map((item) => ownText(item, options));
  const cells = level.output.map((item) => itemTexts(context, level, item, rows, options));
  return (await Promise.all(cells)).flat();
}

async function itemTexts(
  context: ReadContext,
  level: Level,
  item: Output,
  rows: readonly StoredRow[],
  options: RenderOptions,
): Promise<TextOf[]> {
  switch (item.kind) {
    case 'embed':
      return [await embedText(context, level, item.embed, rows, options)];
    case 'spread':
      return spreadTexts(context, level, item.embed, rows, options);
    default:
      return [ownText(item, options)];
  }
}

/** An object or null for a to-one embed, an array otherwise. */
async function embedText(
  context: ReadContext,
  level: Level,
  embed: Embed,
  parents: readonly StoredRow[],
  options: RenderOptions,
): Promise<TextOf> {
  const related = await relatedRows(context, level, embed, parents);
  const inside = { ...options, embedded: true };
  if (embed.level.grouped) return groupedText(context, embed, parents, related, inside);
  const text = once(
    embed,
    await textsOfLong(
      context.budget,
      embed.level,
      related.rows,
      await objectText(context, embed.level, related.rows, inside),
    ),
  );
  const { comma } = separators(inside);
  if (!embed.toOne) return (parent) => arrayOf(context.budget, related.of(parent), text, comma);
  return (parent) => {
    const [row] = related.of(parent);
    return row === undefined ? 'null' : text(row);
  };
}

/** Texts of long rows are made here, in turns; the others when they are printed. */
async function textsOfLong(
  budget: Budget,
  level: Level,
  rows: readonly StoredRow[],
  { textOf, inTurns }: ObjectText,
): Promise<TextOf> {
  const printed = printedFields(level);
  const texts = new Map<StoredRow, string>();
  let length = 0;
  for (const row of rows) {
    if (!isLongIn(row, printed)) continue;
    const text = await inTurns(row);
    budget.checkLength((length += text.length));
    texts.set(row, text);
  }
  return texts.size === 0 ? textOf : (row) => texts.get(row) ?? textOf(row);
}

/** Each cell of the related rows becomes one of the parent's: the value itself, or an array of values. */
async function spreadTexts(
  context: ReadContext,
  level: Level,
  embed: Embed,
  parents: readonly StoredRow[],
  options: RenderOptions,
): Promise<TextOf[]> {
  const related = await relatedRows(context, level, embed, parents);
  const { budget } = context;
  const own = await cellTexts(context, embed.level, related.rows, options);
  const cells = await Promise.all(
    own.map((cell) => {
      const inTurns = async (row: StoredRow): Promise<string> => {
        if (budget.isDue) await budget.pause();
        return cell(row);
      };
      return textsOfLong(budget, embed.level, related.rows, { textOf: cell, inTurns });
    }),
  );
  const { comma } = separators({ ...options, embedded: true });
  return cells.map((cell) => {
    if (!embed.toOne) return (parent) => arrayOf(budget, related.of(parent), cell, comma);
    return (parent) => {
      const [row] = related.of(parent);
      return row === undefined ? 'null' : cell(row);
    };
  });
}

/** Checked here too: texts shared by many rows multiply from level to level, beyond what a string can hold. */
function arrayOf(budget: Budget, rows: readonly StoredRow[], text: TextOf, comma: string): string {
  let list = '[';
  for (let at = 0; at < rows.length; at += 1) {
    list += (at === 0 ? '' : comma) + text(rows[at]!);
    budget.checkLength(list.length);
  }
  return `${list}]`;
}

/** Renders a row once that several parents may share. */
function once({ relationship }: Embed, text: TextOf): TextOf {
  if (relationship.kind === 'one-to-many' || relationship.kind === 'one-to-one') return text;
  const texts = new Map<StoredRow, string>();
  return (row) => {
    let known = texts.get(row);
    if (known === undefined) texts.set(row, (known = text(row)));
    return known;
  };
}

/** Aggregates are computed per parent. */
async function groupedText(
  context: ReadContext,
  { level, toOne }: Embed,
  parents: readonly StoredRow[],
  related: Related,
  options: RenderOptions,
): Promise<TextOf> {
  const texts = new Map(
    await Promise.all(
      parents.map(
        async (parent) => [parent, await renderObjects(context, level, related.of(parent), options)] as const,
      ),
    ),
  );
  return (parent) => {
    const groups = texts.get(parent) ?? [];
    return toOne ? (groups[0] ?? 'null') : `[${groups.join(separators(options).comma)}]`;
  };
}

/** Group keys and aggregates; those of a to-one spread belong to its parent. */
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
        const texts = await itemTexts(context, level, item, rows, options);
        return texts.map((text) => ({ kind: 'group', text }));
      }
      const related = await relatedRows(context, level, item.embed, rows);
      const inner = await groupColumns(context, item.embed.level, related.rows, options);
      return inner.map((column) => throughSpread(column, (row) => related.of(row)[0]));
    }),
  );
  return columns.flat();
}
