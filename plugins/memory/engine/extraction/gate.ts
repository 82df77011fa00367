/**
 * Checks without a model that an extracted fact was said in the conversation. Refuses when in doubt: refusals are
 * shown, and the conversation still has the content.
 */
import { languageOfAll, read, type Reading } from '../current/read.js';
import { wordsOf } from '../evidence/negation.js';
import { sentencesOf, statementOf, type Statement } from '../evidence/statement.js';
import { UNSPACED, type Language } from '../analyzer/language.js';
import openings from './openings.json' with { type: 'json' };
import { anotherSubject } from './pronouns.js';
import { droppedQualifier } from './qualifiers.js';
import { bodyOf, labelOf, withoutSpeakers, type Label, type Spoken } from './speakers.js';
import { beginningOf, type Passage, type Speaker } from './turns.js';
import thirdPerson from './third-person.json' with { type: 'json' };
import unreal from './unreal.json' with { type: 'json' };

/** A fact as the model returns it. */
export interface Claim {
  readonly fact: string;
  /** The words of the turn that support it. */
  readonly quote: string;
  /** The index of the turn in the passage. */
  readonly turn: number;
}

/** Sentences that a quote may touch. */
const MOST_QUOTED = 3;
/** Minimum share of the fact's words in the quoted sentences; the rest must be near them. */
const LEAST_QUOTED = 0.5;

/** Words after a number among which is what it counts: "3 small red apples". */
const COUNTED = 3;

const UNREAL: ReadonlySet<string> = new Set(Object.values(unreal).flat());
/** "Tengo" of the user is "tiene" of a fact; stems do not show it. */
const THIRD_PERSON = new Map(Object.values(thirdPerson).flatMap((forms) => Object.entries(forms)));
const UNREAL_UNSPACED = [...UNREAL].filter((word) => UNSPACED.test(word));

/** Undefined if the fact is supported. Otherwise a stable code, a colon and the detail: `number_not_said: 42`. */
export function refusalOf({ fact, quote, turn: place }: Claim, { turns, from }: Passage): string | undefined {
  const turn = place >= from ? turns[place] : undefined;
  if (turn === undefined) return `turn_unknown: ${place}`;
  const label = labelOf(turn);
  const quotation = quotedIn(bodyOf(turn), withoutLabel(quote, turn.text, label));
  if (quotation === undefined) return `quote_not_said: "${shortened(quote)}"`;
  // Without speaker labels: a name in another turn's label does not support "told me".
  const near = turns.slice(Math.max(0, place - 2), place + 1).map(bodyOf);
  const spoken = withoutSpeakers(fact, label);
  const language = languageOfAll([...near, fact]);
  const claim: Side = sideOf(spoken.text, language);
  const source: Side = sideOf(withoutOpening(quotation.sentences), language);
  if (claim.reading.words.size === 0) return `says_nothing: "${shortened(fact)}"`;
  return (
    notStated(source) ??
    otherSpeaker(turn.role, spoken, claim) ??
    otherSubject(spoken, claim, source.reading) ??
    otherPronoun(spoken, quotation, language) ??
    turnedRound(claim, source) ??
    dropped(claim, source) ??
    notSaid(claim, source, sideOf(near.join('\n'), language))
  );
}

/** A text with everything that is compared. */
interface Side {
  readonly text: string;
  readonly words: readonly string[];
  readonly reading: Reading;
  readonly statement: Statement;
}

function sideOf(text: string, language: Language): Side {
  const told = text.replace(/[\p{L}\p{M}]+/gu, (word) => THIRD_PERSON.get(word.toLowerCase()) ?? word);
  return { text, words: wordsOf(text), reading: read(told, language), statement: statementOf(text) };
}

interface Quotation {
  /** The sentences that the quote touches. */
  readonly sentences: string;
  /** The same text up to the end of the quote. */
  readonly said: string;
}

/** Undefined unless the turn contains the quote word by word. */
function quotedIn(turn: string, quote: string): Quotation | undefined {
  const wanted = folded(quote);
  if (wanted === '') return undefined;
  const sentences = sentencesOf(turn);
  const texts = sentences.map(folded);
  const at = texts.join(' ').indexOf(wanted);
  if (at < 0) return undefined;
  const touched: string[] = [];
  let start = 0;
  let first: number | undefined;
  for (const [place, text] of texts.entries()) {
    const end = start + text.length;
    if (start < at + wanted.length && end > at) {
      first ??= start;
      touched.push(sentences[place]!);
    }
    start = end + 1;
  }
  if (touched.length > MOST_QUOTED) return undefined;
  return { sentences: touched.join(' '), said: texts.join(' ').slice(first, at + wanted.length) };
}

/** A model may copy the speaker's name into the quote. */
function withoutLabel(quote: string, turn: string, label: Label | undefined): string {
  return label !== undefined && quote.startsWith(turn.slice(0, label.length))
    ? quote.slice(label.length)
    : quote;
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim();
}

/** "Yes, her name is Mia": the opening is not the subject. */
function withoutOpening(sentence: string): string {
  const first = /^[\p{L}\p{M}]+/u.exec(sentence)?.[0] ?? '';
  return openings.includes(first.toLowerCase()) ? sentence.slice(first.length) : sentence;
}

/** A question, a wish or a condition states nothing. */
function notStated({ text, words }: Side): string | undefined {
  const isStated =
    !/[?？؟]/.test(text) &&
    !words.some((word) => UNREAL.has(word)) &&
    !UNREAL_UNSPACED.some((word) => text.includes(word));
  return isStated ? undefined : `not_stated: "${shortened(text)}"`;
}

/** A fact about the user must come from the user, and one about the assistant from the assistant. */
function otherSpeaker(role: Speaker, { names, first }: Spoken, { text }: Side): string | undefined {
  const differs = role === 'assistant' ? first !== 'assistant' : names.has('assistant');
  return differs ? `speaker_differs: "${shortened(text)}"` : undefined;
}

/** Both must name the same relatives, and the same one first. */
function otherSubject({ first }: Spoken, claim: Side, source: Reading): string | undefined {
  const fact = claim.reading;
  for (const person of fact.people) if (!source.people.has(person)) return `person_differs: ${person}`;
  for (const person of source.people) if (!fact.people.has(person)) return `person_differs: ${person}`;
  if (source.subject !== null && !isIn(claim, source.subject)) return `subject_differs: ${source.subject}`;
  if (source.first !== null && !fact.words.has(source.first)) return `subject_differs: ${source.first}`;
  if (first === undefined && fact.first !== null && !source.words.has(fact.first))
    return `subject_differs: ${fact.first}`;
  return undefined;
}

/** "He lives in Paris" is not about the speaker. */
function otherPronoun(
  { first, isAbout, text }: Spoken,
  { sentences, said }: Quotation,
  language: Language,
): string | undefined {
  if (first === undefined || !isAbout) return undefined;
  const pronoun = anotherSubject({ sentence: sentences, said, fact: text }, language);
  return pronoun && `subject_differs: ${pronoun}`;
}

/** "I hope to visit Japan": a fact without the hope is not stated. */
function dropped(fact: Side, source: Side): string | undefined {
  const qualifier = droppedQualifier(fact, source);
  return qualifier && `not_stated: "${qualifier}"`;
}

/** Negation or tense differs. */
function turnedRound(fact: Side, source: Side): string | undefined {
  if (fact.reading.negated !== source.reading.negated) return `negation_differs: "${shortened(source.text)}"`;
  const isOther =
    fact.reading.isPast !== source.reading.isPast ||
    isPastOf(source.words, fact.words) ||
    isPastOf(fact.words, source.words);
  return isOther ? `tense_differs: "${shortened(source.text)}"` : undefined;
}

/** One side says `lived` and the other `lives`. */
function isPastOf(some: readonly string[], others: readonly string[]): boolean {
  const past = some.filter((word) => word.endsWith('ed') && !others.includes(word));
  return past.some((word) => {
    const stem = word.slice(0, -2);
    return [stem, `${stem}e`, `${stem}s`, `${stem}es`].some((present) => others.includes(present));
  });
}

/**
 * Numbers and names must be in the quoted sentences, or near them if those have none. At least half of the words must
 * be in the quoted sentences, the rest near them.
 */
function notSaid(fact: Side, source: Side, near: Side): string | undefined {
  const { numbers } = source.statement.numbers.size > 0 ? source.statement : near.statement;
  for (const number of fact.statement.numbers) if (!numbers.has(number)) return `number_not_said: ${number}`;
  const other = countsOther(fact.words, source.words);
  if (other !== undefined) return `number_not_said: ${other}`;
  const named = source.statement.names.size > 0 ? source : near;
  for (const [stem, name] of fact.statement.names)
    if (!named.statement.names.has(stem) && !named.reading.words.has(stem)) return `name_not_said: ${name}`;
  const words = [...fact.reading.words].filter((word) => !NUMBER.test(word));
  const elsewhere = words.filter((word) => !isIn(source, word));
  const missing = elsewhere.find((word) => !isIn(near, word));
  if (missing !== undefined) return `word_not_said: ${missing}`;
  return words.length - elsewhere.length < LEAST_QUOTED * words.length
    ? `quote_says_less: "${shortened(source.text)}"`
    : undefined;
}

/** "5 dogs" of a sentence that has "2 dogs and 5 cats": what it counts comes after another number there. */
function countsOther(fact: readonly string[], source: readonly string[]): string | undefined {
  for (const [at, number] of fact.entries()) {
    const counted = fact[at + 1];
    if (!NUMBER.test(number) || counted === undefined || NUMBER.test(counted)) continue;
    if (!source.includes(number) || !source.includes(counted)) continue;
    const isSaid = source.some(
      (word, from) => word === number && source.slice(from + 1, from + 1 + COUNTED).includes(counted),
    );
    if (!isSaid) return `${number} ${counted}`;
  }
  return undefined;
}

/** Runs without spaces may be segmented differently: compares bigrams. */
function isIn({ text, reading }: Side, word: string): boolean {
  if (reading.words.has(word)) return true;
  if (!UNSPACED.test(word)) return false;
  const characters = Array.from(word);
  return characters.length === 1
    ? text.includes(word)
    : characters.every((character, at) => at === 0 || text.includes(characters[at - 1]! + character));
}

const NUMBER = /^\p{N}/u;
const SHOWN = 80;

function shortened(text: string): string {
  return text.length > SHOWN ? `${beginningOf(text, SHOWN)}...` : text;
}
