/** The filter of a subscription, `column=operator.value` separated by commas, as a query string. */
import { errors } from '../base/errors.js';

const LONGEST = 4_096;

/** Throws SVC100 if it is not a filter of rows. */
export function filterQuery(filter: string): string {
  if (filter.length > LONGEST)
    throw refused(filter.slice(0, 20), `a filter has ${LONGEST} characters at most`);
  return partsOf(filter)
    .map((part) => {
      const equals = part.indexOf('=');
      const name = part.slice(0, Math.max(0, equals)).trim();
      if (!NAME.test(name) || RESERVED.has(name))
        throw refused(part, 'a condition on a column is expected, "user_id=eq.5"');
      return `${encodeURIComponent(name)}=${encodeURIComponent(part.slice(equals + 1).trim())}`;
    })
    .join('&');
}

const RESERVED = new Set(['select', 'columns', 'on_conflict', 'order', 'limit', 'offset']);
/** Without a dot: embedded rows cannot be subscribed to. */
const NAME = /^(not\.)?[^.=,()]+$/;

/**
 * A comma separates conditions if a name and `=` follow; other commas, and those in brackets and quotes, belong to a
 * value.
 */
function partsOf(filter: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < filter.length; at += 1) {
    const character = filter[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0 && NEXT.test(filter.slice(at + 1, at + 1 + LONGEST_NAME))) {
      parts.push(filter.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(filter.slice(from));
  return parts.filter((part) => part.trim() !== '');
}

const LONGEST_NAME = 100;
const NEXT = /^[^.=,()"]+=/;

function refused(text: string, expected: string): Error {
  return errors.SVC100({ values: { parameter: 'filter', text, column: '1' }, details: expected });
}
