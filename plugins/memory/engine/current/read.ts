/** What a sentence reveals without a model: its subject, topics and time. */
import { KOREAN_PARTICLES } from 'plugboard/sdk';
import { segmented } from '../analyzer/analyze.js';
import {
  DEFAULT_LANGUAGE,
  isStopWord,
  languageByScript,
  stem,
  UNSPACED,
  type Language,
} from '../analyzer/language.js';
import { labelOf } from '../evidence/label.js';
import { negationsIn, wordsOf } from '../evidence/negation.js';
import cues from './cues.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import { split, type Segment } from '../analyzer/split.js';
import topics from './topics.json' with { type: 'json' };

export interface Reading {
  /** Its words without stop words: stems, Korean words without particles, runs of Han and Katakana. */
  readonly words: ReadonlySet<string>;
  /** The name and colon at its beginning, as in group chats. */
  readonly label: string;
  /** Those of `words` that tell what it is about: without the label, "go" and "have". */
  readonly telling: ReadonlySet<string>;
  /** The words around one that ends something: "Civic" of "I sold the Civic". */
  readonly ended: ReadonlySet<string>;
  /** Its possible topics, see topics.json. */
  readonly topics: ReadonlySet<string>;
  /** People named by their relation to the speaker, such as relatives. */
  readonly people: ReadonlySet<string>;
  /** Its first word, if it is in `words`; null: it begins with another, such as "I", "the" or "now". */
  readonly first: string | null;
  /** What it is about, if it begins with that: "landlord" of "My landlord lives in Paris", 部長 of 部長は. */
  readonly subject: string | null;
  readonly isPast: boolean;
  readonly negated: boolean;
}

const HANGUL = /^\p{Script=Hangul}+$/u;
const IDEOGRAPHS = /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+/gu;
/** Korean and Japanese pronouns and question words. */
const EMPTY =
  /^(?:나|내|저|제|우리|저희|어디.*|언제.*|누구.*|누가|뭐.*|무엇.*|무슨|어느|어떤|얼마.*|몇.*|私|僕|俺|何\p{Script=Han}*|誰|今|月)$/u;
/** A single character is a person if one of these follows and no letter that makes it a part of a word precedes. */
const PARTICLES = '은는이가의のはがともにを';
const IN_A_WORD = /[\p{Script=Han}\p{Script=Hangul}]/u;
/** "Frau Weber" is a form of address. */
const WIFE = /(?<!\p{L})(?:die|der|einer?|[mds]einer?|ihrer?|unserer?) frau(?!\p{L})/u;
const FIRST = /^\P{L}*(?<first>\p{L}[\p{L}\p{M}]*)/u;

/** Words before and after one that ends something. */
const AROUND = 3;

/** A possessive of the speaker at the beginning. */
const OWNER = /^\P{L}*(?:my|our|(?:mein|unser)e?|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?)(?!\p{L})/u;
/** Particles of a subject, and what comes before a Korean or Japanese one that is the speaker's. */
const KOREAN_SUBJECT = ['께서', '은', '는', '이', '가'];
const KOREAN_OWNER = /^(?:제|내|우리|저희)$/u;
const JAPANESE_OWNER = /^(?:私|僕|俺|うち)の/u;
const JAPANESE_SUBJECT = /^[\p{Script=Han}\p{Script=Katakana}ー]+(?=[はが])/u;

const YEAR = /\b(?:19|20)[0-9]{2}\b/;

const MARKS = Object.entries(topics).flatMap(([topic, marks]) =>
  marks.map((mark) => ({ topic, mark, unspaced: UNSPACED.test(mark) })),
);

/** The language of several texts together: a single short text can mislead. */
export function languageOfAll(texts: readonly string[]): Language {
  return segmented(texts.join('\n')).language ?? DEFAULT_LANGUAGE;
}

export function read(text: string, language: Language): Reading {
  const label = labelOf(text);
  const body = text.slice(label.length);
  const lower = body.normalize('NFKC').toLowerCase();
  const spoken = wordsOf(lower);
  const has = (cue: string): boolean =>
    UNSPACED.test(cue) || cue.includes(' ') || cue.includes("'") ? lower.includes(cue) : spoken.includes(cue);
  const content = contentOf(body, language);
  return {
    words: new Set([...contentWords(label, language), ...content.map(({ stem }) => stem)]),
    label,
    telling: new Set(content.filter(({ word }) => !cues.light.includes(word)).map(({ stem }) => stem)),
    ended: new Set(
      cues.ending.filter(has).flatMap((cue) => contentWords(around(cue, lower, spoken).join(' '), language)),
    ),
    topics: new Set([...spoken.flatMap(topicsOf)]),
    people: new Set(people.filter((person) => isNamed(person, lower, spoken))),
    first: firstOf(body, content[0]?.stem, language),
    subject: subjectOf(lower, spoken, language),
    isPast: cues.past.some(has) || (YEAR.test(lower) && cues.was.some(has)),
    negated: negationsIn(spoken) > 0 || cues.not.some((cue) => lower.includes(cue)),
  };
}

/** The topics of a word; a run without spaces may contain several words. */
export function topicsOf(word: string): string[] {
  const bare = UNSPACED.test(word) ? word : withoutAccents(word);
  return MARKS.filter(({ mark, unspaced }) =>
    unspaced ? bare.includes(mark) : bare.startsWith(mark) || isStemOf(bare, mark),
  ).map(({ topic }) => topic);
}

/** A stem may be shorter than the mark: "liv" of "live". */
function isStemOf(word: string, mark: string): boolean {
  return word.length >= 3 && mark.length - word.length === 1 && mark.startsWith(word);
}

/** Whether a question is about the past: then nothing is outdated. */
export function asksOfPast(query: string, language: Language): boolean {
  const lower = query.normalize('NFKC').toLowerCase();
  const spoken = wordsOf(lower);
  return (
    cues.pastQuestion
      .filter((cue) => !(cue === 'was' && language === 'german'))
      .some((cue) =>
        UNSPACED.test(cue) || cue.includes(' ') ? lower.includes(cue) : spoken.includes(cue),
      ) || /\b(?:19|20)\d\d/.test(lower)
  );
}

function isNamed(person: string, text: string, spoken: readonly string[]): boolean {
  if (person === 'frau') return WIFE.test(text);
  if (!UNSPACED.test(person)) return spoken.includes(person);
  if (person.length > 1) return text.includes(person);
  return Array.from(text).some(
    (letter, at, all) =>
      letter === person && !IN_A_WORD.test(all[at - 1] ?? '') && PARTICLES.includes(all[at + 1] ?? ' '),
  );
}

function firstOf(text: string, content: string | undefined, language: Language): string | null {
  if (UNSPACED.test(text)) return null;
  const first = FIRST.exec(text.normalize('NFKC'))?.groups?.['first'];
  const [word] = first === undefined ? [] : contentWords(first, language);
  return word === undefined ||
    first === undefined ||
    word !== content ||
    cues.change.includes(first.toLowerCase())
    ? null
    : word;
}

/** The words around the first place of a cue; those before it alone where the verb comes last. */
function around(cue: string, text: string, spoken: readonly string[]): string[] {
  if (UNSPACED.test(cue)) return wordsOf(text.slice(0, Math.max(0, text.indexOf(cue)))).slice(-AROUND);
  const sought = cue.split(' ');
  const at = spoken.findIndex((_, from) => sought.every((word, offset) => spoken[from + offset] === word));
  const end = at + sought.length;
  return at < 0 ? [] : [...spoken.slice(Math.max(0, at - AROUND), at), ...spoken.slice(end, end + AROUND)];
}

function subjectOf(lower: string, spoken: readonly string[], language: Language): string | null {
  const owner = OWNER.exec(lower);
  if (owner !== null) return contentWords(lower.slice(owner[0].length), language)[0] ?? null;
  const word = spoken.find((each) => !KOREAN_OWNER.test(each)) ?? '';
  const particle = HANGUL.test(word) ? KOREAN_SUBJECT.find((each) => word.endsWith(each)) : undefined;
  const topic =
    particle === undefined
      ? JAPANESE_SUBJECT.exec(word.replace(JAPANESE_OWNER, ''))?.[0]
      : word.slice(0, -particle.length);
  return topic === undefined || topic === '' || EMPTY.test(topic) ? null : topic;
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

function contentWords(text: string, language: Language): string[] {
  return contentOf(text, language).map((content) => content.stem);
}

interface Content {
  /** In lower case, as written; Korean words without particles. */
  readonly word: string;
  readonly stem: string;
}

function contentOf(text: string, language: Language): Content[] {
  return [...everySegment(text)].flatMap(({ text: written, spaced }) => {
    const own = languageByScript(written) ?? language;
    const word = written.toLowerCase();
    if (spaced) return isStopWord(written, own) ? [] : [{ word, stem: stem(written, own) }];
    const runs = HANGUL.test(written) ? withoutParticle(written) : (written.match(IDEOGRAPHS) ?? []);
    return runs.filter((run) => !EMPTY.test(run)).map((run) => ({ word: run, stem: run }));
  });
}

/** Nothing is left of a particle by itself. */
function withoutParticle(word: string): string[] {
  if (KOREAN_PARTICLES.includes(word)) return [];
  const particle = KOREAN_PARTICLES.find((each) => word.length > each.length && word.endsWith(each));
  return [particle === undefined ? word : word.slice(0, -particle.length)];
}

function everySegment(text: string): readonly Segment[] {
  const steps = split(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
