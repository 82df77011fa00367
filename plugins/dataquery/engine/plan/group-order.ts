/** The order of groups: by what all rows of a group share, by its name or its alias in the request. */
import { errors } from '../base/errors.js';
import type { EmbedItem, Field, OrderTerm, SelectItem } from '../query/query.js';

interface Selected {
  /** The level's columns by name. */
  readonly columns: ReadonlyMap<string, unknown>;
  readonly relation: string;
  readonly select: readonly SelectItem[];
}

/** The terms with aliases replaced by columns. Throws 42803. */
export function groupOrder(level: Selected, terms: readonly OrderTerm[]): readonly OrderTerm[] {
  return terms.map((term) => {
    const found = isGroupedBy(level.select, term.relations, term.field) ? term : aliased(level, term);
    if (found !== undefined) return found;
    // A missing column is refused elsewhere.
    if (term.relations.length === 0 && !level.columns.has(term.field.name)) return term;
    throw errors['42803']({ values: { relation: level.relation, column: term.field.name } });
  });
}

function isGroupedBy(select: readonly SelectItem[], relations: readonly string[], field: Field): boolean {
  const [first, ...rest] = relations;
  if (first === undefined) return select.some((item) => selects(item, field));
  const embed = embeds(select).find((item) => (item.alias ?? item.name) === first || item.name === first);
  return embed !== undefined && isGroupedBy(embed.select, rest, field);
}

function selects(item: SelectItem, { name, steps }: Field): boolean {
  if (item.kind === 'star') return steps.length === 0;
  if (item.kind !== 'column' || item.aggregate !== undefined) return false;
  return item.field.name === name && JSON.stringify(item.field.steps) === JSON.stringify(steps);
}

/** The term that the name is an alias of, here or in a spread. */
function aliased({ columns, select }: Selected, term: OrderTerm): OrderTerm | undefined {
  const { name, steps } = term.field;
  if (columns.has(name) || steps.length > 0 || term.relations.length > 0) return undefined;
  const found = lookFor(select, name);
  return found === undefined ? undefined : { ...term, ...found };
}

function lookFor(
  select: readonly SelectItem[],
  name: string,
): Pick<OrderTerm, 'relations' | 'field'> | undefined {
  for (const item of select) {
    if (item.kind === 'column' && item.aggregate === undefined && (item.alias ?? item.field.name) === name)
      return { relations: [], field: item.field };
  }
  for (const item of embeds(select).filter(({ spread }) => spread)) {
    const found = lookFor(item.select, name);
    if (found !== undefined) return { ...found, relations: [item.alias ?? item.name, ...found.relations] };
  }
  return undefined;
}

function embeds(select: readonly SelectItem[]): EmbedItem[] {
  return select.filter((item) => item.kind === 'embed');
}
