/** Usage and limits of a key, from the plugins that know them. */
export interface Usage {
  readonly total: {
    readonly calls: number;
    readonly tokensIn: number;
    readonly tokensOut: number;
    readonly estimatedIn: number;
    readonly estimatedOut: number;
    /** US dollars. */
    readonly cost: number;
  };
}

export interface Allowance {
  readonly name: string;
  /** Ids or names of keys, `*` for any run of characters; without it the rule is about somebody else, or all. */
  readonly key?: string;
  readonly tenant?: string;
  readonly person?: string;
  readonly models?: readonly string[];
  readonly limits: readonly {
    readonly models?: readonly string[];
    readonly requests?: number;
    readonly tokens?: number;
  }[];
  readonly budget?: { readonly usd: number; readonly per: 'day' | 'month' };
}

export interface Standing {
  readonly category: string;
  readonly unit: 'requests' | 'tokens';
  readonly id: string;
  readonly used: number;
  readonly limit: number;
}

/** Whether one of the texts matches the pattern. */
export function globOf(pattern: string | undefined): (texts: readonly string[]) => boolean {
  if (pattern === undefined) return () => false;
  const parts = pattern.split('*');
  return (texts) => texts.some((text) => matches(text, parts));
}

/** The parts in order, the first at the start and the last at the end; linear in the text. */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** Days and months in UTC, as the server counts. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}

export function monthStart(now = new Date()): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
