/**
 * Markdown as blocks, parsed incrementally: a streamed answer is parsed once, except for the block that is being
 * written.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it';

/** HTML is shown as text. markdown-it drops script addresses; the renderer checks again. */
const parser = new MarkdownIt({ html: false, breaks: true, linkify: true });
// Only text with a scheme is linked: `index.js` is not.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** A heading, a paragraph, a list ...; the same object as long as its text is the same. */
export interface Block {
  /** Its offset in the text. */
  readonly at: number;
  readonly tokens: readonly Token[];
  /** Instead of tokens, if the text is nested too deeply. */
  readonly plain?: string;
}

/** In deeper lists markdown-it drops the rest of the text. */
const DEEPEST = 99;

export interface Parsed {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Link definitions, which may be anywhere. */
  readonly env: Env;
}

export const NOTHING: Parsed = { text: '', blocks: [], env: {} };

/** `ended`: the text is complete. */
export function parseOn(before: Parsed, text: string, ended: boolean): Parsed {
  if (before.text === text && !ended) return before;
  const grew = text.startsWith(before.text);
  // A definition at the end applies to links at the beginning.
  const whole = !grew || (ended && before.env.references !== undefined);
  // The last block may have grown, or become another kind of block.
  const settled = whole ? [] : before.blocks.slice(0, -1);
  const env = whole ? {} : before.env;
  const from = whole ? 0 : (before.blocks.at(-1)?.at ?? 0);
  return { text, blocks: [...settled, ...blocksOf(text.slice(from), from, env)], env };
}

function blocksOf(text: string, from: number, env: Env): Block[] {
  const tokens = parser.parse(text, env);
  if (tokens.some(({ level }) => level >= DEEPEST)) return [{ at: from, tokens: [], plain: text }];
  const lines = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  const blocks: { at: number; tokens: Token[] }[] = [];
  let open = 0;
  for (const token of tokens) {
    if (open === 0) blocks.push({ at: from + (lines[token.map?.[0] ?? 0] ?? 0), tokens: [] });
    blocks.at(-1)!.tokens.push(token);
    open += token.nesting;
  }
  return blocks;
}
