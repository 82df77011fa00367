/** A search as a tree: PostgreSQL's tsquery, in its four notations (PostgreSQL documentation, 12.3.2). */
import { errors } from '../base/errors.js';
import type { Weight } from './vector.js';
import type { AskedWord, Configuration } from './words.js';

export type SearchQuery =
  | {
      readonly kind: 'lexeme';
      readonly lexeme: string;
      readonly prefix: boolean;
      readonly weights: readonly Weight[];
    }
  | { readonly kind: 'not'; readonly query: SearchQuery }
  | { readonly kind: 'and' | 'or'; readonly queries: readonly SearchQuery[] }
  /** Each part follows the one before it at this distance. */
  | {
      readonly kind: 'phrase';
      readonly first: SearchQuery;
      readonly rest: readonly { readonly query: SearchQuery; readonly distance: number }[];
    };

export type SearchMode = 'fts' | 'plfts' | 'phfts' | 'wfts';

/** More characters than a URL has; a module's or the catalog's query may be long too. */
const LONGEST = 16_384;

/** Undefined for a search of only stop words: it matches nothing. Throws 42601 and 54000. */
export function searchQuery(
  mode: SearchMode,
  text: string,
  configuration: Configuration,
): SearchQuery | undefined {
  if (text.length > LONGEST) {
    throw errors['54000']({ message: `a search has at most ${LONGEST} characters` });
  }
  switch (mode) {
    case 'fts':
      return new QueryReader(text, configuration).read();
    case 'plfts':
      return joined(
        'and',
        Array.from(configuration.asked(text, false), (word) => askedQuery(word, [])),
      );
    case 'phfts':
      return phraseOf(text, configuration);
    case 'wfts':
      return webQuery(text, configuration);
  }
}

type Modifiers = Pick<Extract<SearchQuery, { kind: 'lexeme' }>, 'prefix' | 'weights'>;

const PLAIN: Modifiers = { prefix: false, weights: [] };

function askedQuery({ spellings }: AskedWord, weights: Modifiers['weights']): SearchQuery | undefined {
  return joined(
    'or',
    spellings.map((lexemes) => {
      const [first, ...rest] = lexemes.map(({ text, distance, prefix }) => ({
        query: { kind: 'lexeme', lexeme: text, prefix, weights } satisfies SearchQuery,
        distance,
      }));
      return phrased(first?.query, rest);
    }),
  );
}

function joined(kind: 'and' | 'or', parts: readonly (SearchQuery | undefined)[]): SearchQuery | undefined {
  const queries = parts.filter((part) => part !== undefined);
  return queries.length > 1 ? { kind, queries } : queries[0];
}

/** The words in sequence; a stop word leaves a gap. */
function phraseOf(
  text: string,
  configuration: Configuration,
  { prefix, weights } = PLAIN,
): SearchQuery | undefined {
  let first: SearchQuery | undefined;
  const rest: { query: SearchQuery; distance: number }[] = [];
  let last = 0;
  for (const word of configuration.asked(text, prefix)) {
    const query = askedQuery(word, weights);
    if (query === undefined) continue;
    if (first === undefined) first = query;
    else rest.push({ query, distance: word.position - last });
    last = word.position;
  }
  return phrased(first, rest);
}

function phrased(
  first: SearchQuery | undefined,
  rest: readonly { query: SearchQuery; distance: number }[],
): SearchQuery | undefined {
  return first === undefined || rest.length === 0 ? first : { kind: 'phrase', first, rest };
}

/** As people type it: `"a phrase" -without either or`. Nothing is an error. */
function webQuery(text: string, configuration: Configuration): SearchQuery | undefined {
  const alternatives: (SearchQuery | undefined)[][] = [[]];
  for (const [token, minus, quoted, plain = ''] of text.matchAll(/(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g)) {
    if (token.toLowerCase() === 'or') {
      alternatives.push([]);
      continue;
    }
    const query = phraseOf(quoted ?? plain, configuration);
    alternatives.at(-1)!.push(minus === '-' && query !== undefined ? { kind: 'not', query } : query);
  }
  return joined(
    'or',
    alternatives.map((parts) => joined('and', parts)),
  );
}

const TOKEN =
  /\s*(?:(<(?:-|\d{1,5})>)|([!&|()])|'((?:[^'\\]|''|\\.)*)'(?::([*A-Da-d]*))?|((?:[^\s!&|()<':\\]|\\.)+)(?::([*A-Da-d]*))?)/sy;

/** Limit of nested groups; it bounds the stack, not what people write. */
const MAX_DEPTH = 64;

/** `fat & (rat | !cat:*) <-> 'big dog':A`, the tightest first: `!`, `<->`, `&`, `|`. */
class QueryReader {
  readonly #text: string;
  readonly #end: number;
  readonly #configuration: Configuration;
  #at = 0;
  #token: RegExpExecArray | undefined;
  #depth = 0;

  constructor(text: string, configuration: Configuration) {
    this.#text = text;
    this.#end = text.trimEnd().length;
    this.#configuration = configuration;
    this.#next();
  }

  read(): SearchQuery | undefined {
    if (this.#token === undefined) return undefined;
    const query = this.#or();
    if (this.#token !== undefined) throw this.#refused();
    return query;
  }

  #or(): SearchQuery | undefined {
    const parts = [this.#and()];
    while (this.#take('|')) parts.push(this.#and());
    return joined('or', parts);
  }

  #and(): SearchQuery | undefined {
    const parts = [this.#phrase()];
    while (this.#take('&')) parts.push(this.#phrase());
    return joined('and', parts);
  }

  #phrase(): SearchQuery | undefined {
    let first = this.#not();
    const rest: { query: SearchQuery; distance: number }[] = [];
    for (let operator = this.#token?.[1]; operator !== undefined; operator = this.#token?.[1]) {
      this.#next();
      const query = this.#not();
      const distance = operator === '<->' ? 1 : Number(operator.slice(1, -1));
      if (first === undefined) first = query;
      else if (query !== undefined) rest.push({ query, distance });
    }
    return phrased(first, rest);
  }

  #not(): SearchQuery | undefined {
    let negated = false;
    while (this.#take('!')) negated = !negated;
    const query = this.#operand();
    return negated && query !== undefined ? { kind: 'not', query } : query;
  }

  #operand(): SearchQuery | undefined {
    const token = this.#token;
    if (token === undefined) throw this.#refused();
    if (this.#take('(')) {
      if (++this.#depth > MAX_DEPTH) throw this.#refused();
      const query = this.#or();
      this.#depth--;
      if (!this.#take(')')) throw this.#refused();
      return query;
    }
    const [, phrase, operator, quoted, quotedModifiers = '', bare = '', bareModifiers = ''] = token;
    if (phrase !== undefined || operator !== undefined) throw this.#refused();
    this.#next();
    const text = (quoted?.replaceAll("''", "'") ?? bare).replace(/\\(.)/gs, '$1');
    return phraseOf(text, this.#configuration, modifiersOf(quotedModifiers + bareModifiers));
  }

  #take(operator: string): boolean {
    if (this.#token?.[2] !== operator) return false;
    this.#next();
    return true;
  }

  #next(): void {
    this.#token = undefined;
    if (this.#at >= this.#end) return;
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#text);
    if (token === null) throw this.#refused();
    this.#at = TOKEN.lastIndex;
    this.#token = token;
  }

  #refused(): Error {
    return errors['42601']({ message: `syntax error in tsquery: "${this.#text}"` });
  }
}

function modifiersOf(text: string): Modifiers {
  const weights = [...new Set(text.toUpperCase().replaceAll('*', ''))] as Weight[];
  return { prefix: text.includes('*'), weights };
}
