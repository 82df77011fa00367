/** A search as a tree: PostgreSQL's tsquery, by its four ways to be written (PostgreSQL documentation, 12.3.2). */
import { errors } from '../errors.js';
import type { Configuration } from './configuration.js';
import type { Weight } from './vector.js';
import { wordsOf } from './words.js';

export type SearchQuery =
  | {
      readonly kind: 'lexeme';
      readonly lexeme: string;
      readonly prefix: boolean;
      readonly weights: readonly Weight[];
    }
  | { readonly kind: 'not'; readonly query: SearchQuery }
  | { readonly kind: 'and' | 'or'; readonly left: SearchQuery; readonly right: SearchQuery }
  /** The right side stands so many words behind the left one. */
  | {
      readonly kind: 'phrase';
      readonly left: SearchQuery;
      readonly right: SearchQuery;
      readonly distance: number;
    };

export type SearchMode = 'fts' | 'plfts' | 'phfts' | 'wfts';

/** Undefined for a search in which nothing but stop words is left: it finds nothing. Throws 42601. */
export function searchQuery(
  mode: SearchMode,
  text: string,
  configuration: Configuration,
): SearchQuery | undefined {
  switch (mode) {
    case 'fts':
      return new QueryReader(text, configuration).read();
    case 'plfts':
      return joined(
        'and',
        wordsOf(text).map(({ text: word }) => lexemeOf(word, configuration)),
      );
    case 'phfts':
      return phraseOf(text, configuration);
    case 'wfts':
      return webQuery(text, configuration);
  }
}

type Modifiers = Pick<Extract<SearchQuery, { kind: 'lexeme' }>, 'prefix' | 'weights'>;

const PLAIN: Modifiers = { prefix: false, weights: [] };

function lexemeOf(word: string, configuration: Configuration, modifiers = PLAIN): SearchQuery | undefined {
  const lexeme = configuration(word);
  return lexeme === undefined ? undefined : { kind: 'lexeme', lexeme, ...modifiers };
}

function joined(kind: 'and' | 'or', parts: readonly (SearchQuery | undefined)[]): SearchQuery | undefined {
  return parts.reduce<SearchQuery | undefined>(
    (left, right) => (left === undefined || right === undefined ? (left ?? right) : { kind, left, right }),
    undefined,
  );
}

/** The words one behind the other; where a stop word stood, a gap stays. */
function phraseOf(text: string, configuration: Configuration, modifiers = PLAIN): SearchQuery | undefined {
  let phrase: SearchQuery | undefined;
  let last = 0;
  for (const { text: word, position } of wordsOf(text)) {
    const right = lexemeOf(word, configuration, modifiers);
    if (right === undefined) continue;
    phrase =
      phrase === undefined ? right : { kind: 'phrase', left: phrase, right, distance: position - last };
    last = position;
  }
  return phrase;
}

/** As people type it: `"a phrase" -without either or`. Nothing is a mistake. */
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
  /\s*(?:(<(?:-|\d{1,5})>)|([!&|()])|'((?:[^'\\]|''|\\.)*)'(?::([*A-Da-d]*))?|((?:[^\s!&|()<':\\]|\\.)+)(?::([*A-Da-d]*))?)\s*/sy;

/** Groups nest no deeper than this; it bounds the stack, not what people write. */
const MAX_DEPTH = 64;

/** `fat & (rat | !cat:*) <-> 'big dog':A`, the tightest first: `!`, `<->`, `&`, `|`. */
class QueryReader {
  readonly #text: string;
  readonly #configuration: Configuration;
  #at = 0;
  #token: RegExpExecArray | undefined;
  #depth = 0;

  constructor(text: string, configuration: Configuration) {
    this.#text = text;
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
    let left = this.#not();
    for (let operator = this.#token?.[1]; operator !== undefined; operator = this.#token?.[1]) {
      this.#next();
      const right = this.#not();
      const distance = operator === '<->' ? 1 : Number(operator.slice(1, -1));
      left =
        left === undefined || right === undefined
          ? (left ?? right)
          : { kind: 'phrase', left, right, distance };
    }
    return left;
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
    if (this.#text.slice(this.#at).trim() === '') return;
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
