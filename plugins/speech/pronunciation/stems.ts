/** Whether a syllable ends the stem of a verb or adjective, for articles 11, 24 and 25. */
import lexicon from './lexicon.json' with { type: 'json' };

const NOUNS = lexicon.nouns;
const STEMS = new Set(lexicon.stems.words);
const ENDINGS = new Set(lexicon.stems.endings);
const EXCEPTIONS = lexicon.stems.except;

/** `at` is the index of the syllable whose coda meets the next onset; `coda` as written. */
export function endsStem(word: string, at: number, coda: string): boolean {
  const head = word.slice(0, at + 1);
  if (coda === 'ㄻ' && isCausative(word.slice(at + 1))) return false;
  // Double codas occur in stems, and in the few listed nouns.
  if ('ㄵㄻㄺㄼㄾ'.includes(coda)) return !NOUNS.some((noun) => head.endsWith(noun));
  if (coda !== 'ㄴ' && coda !== 'ㅁ') return false;
  return (
    STEMS.has(head) &&
    ENDINGS.has(word.charAt(at + 1)) &&
    !EXCEPTIONS.some((exception) => word.startsWith(exception))
  );
}

/** 굶기다, 옮겼다: article 24 leaves the causative plain. 굶기 as a noun is tense. */
function isCausative(rest: string): boolean {
  const first = rest.charAt(0);
  if (lexicon.causative.always.includes(first)) return true;
  return first === '기' && lexicon.causative.before.includes(rest.charAt(1));
}
