/**
 * Changes where two syllables meet, by the rules of standard pronunciation (표준 발음법, Ministry of Culture, Sports and
 * Tourism, notification 2017-13). Each change names its article.
 */
import { aspirated, codaArticle, codaSound, liaison, nasal, tense } from './letters.js';

export interface Meeting {
  /** The letters as written. */
  readonly coda: string;
  readonly onset: string;
  /** The vowel of the second syllable, and its coda. */
  readonly vowel: string;
  readonly nextCoda: string;
  /** The first syllable ends the stem of a verb or adjective, so that articles 11, 24 and 25 apply. */
  readonly isStem: boolean;
}

export interface Sound {
  readonly coda: string;
  readonly onset: string;
  readonly articles: readonly number[];
}

export function meet(meeting: Meeting): Sound {
  if (meeting.coda === '' || (meeting.coda === 'ㅇ' && meeting.onset === 'ㅇ'))
    return { coda: meeting.coda, onset: meeting.onset, articles: [] };
  if (meeting.onset === 'ㅇ') return beforeVowel(meeting);
  return meeting.onset === 'ㅎ' ? beforeH(meeting) : beforeConsonant(meeting);
}

/** Articles 12.4, 13, 14 and 17. */
function beforeVowel({ coda, vowel, nextCoda }: Meeting): Sound {
  if (coda === 'ㅎ') return { coda: '', onset: 'ㅇ', articles: [12] };
  const softens = vowel === 'ㅣ' || isContracted(vowel, nextCoda);
  if (coda === 'ㄷ' && vowel === 'ㅣ') return { coda: '', onset: 'ㅈ', articles: [17] };
  if (coda === 'ㅌ' && softens) return { coda: '', onset: 'ㅊ', articles: [17] };
  if (coda === 'ㄾ' && softens) return { coda: 'ㄹ', onset: 'ㅊ', articles: [17] };
  const [stays, moves] = liaison(coda);
  const article = coda === 'ㄶ' || coda === 'ㅀ' ? 12 : stays === '' ? 13 : 14;
  return { coda: stays, onset: moves, articles: [article] };
}

/** Article 12.1, first and second note, and article 17, note: ㅎ aspirates a preceding stop. */
function beforeH({ coda, vowel, nextCoda }: Meeting): Sound {
  if (coda === 'ㄵ') return { coda: 'ㄴ', onset: 'ㅊ', articles: [12] };
  if (coda === 'ㅈ') return { coda: '', onset: 'ㅊ', articles: [12] };
  if (coda === 'ㄷ' && (vowel === 'ㅣ' || isContracted(vowel, nextCoda)))
    return { coda: '', onset: 'ㅊ', articles: [17] };
  if (coda === 'ㄺ') return { coda: 'ㄹ', onset: 'ㅋ', articles: [12] };
  if (coda === 'ㄼ') return { coda: 'ㄹ', onset: 'ㅍ', articles: [12] };
  const sound = codaSound(coda);
  const strong = aspirated(sound);
  if (strong !== undefined) return { coda: '', onset: strong, articles: [12] };
  return { coda: sound, onset: 'ㅎ', articles: sound === coda ? [] : [codaArticle(coda)] };
}

/** ㅕ of -이어 and -히어, as in 붙여 and 닫혔다; not that of 맏형. */
function isContracted(vowel: string, coda: string): boolean {
  return vowel === 'ㅕ' && (coda === '' || coda === 'ㅆ');
}

function beforeConsonant(meeting: Meeting): Sound {
  const { coda, onset } = meeting;
  if (coda === 'ㅎ' || coda === 'ㄶ' || coda === 'ㅀ') return behindH(coda, onset);
  if (coda === 'ㄺ' && onset === 'ㄱ' && meeting.isStem)
    return { coda: 'ㄹ', onset: 'ㄲ', articles: [11, 25] };

  const sound = codaSound(coda);
  const articles = sound === coda ? [] : [codaArticle(coda)];
  const tensed = tense(onset);
  if ('ㄱㄷㅂ'.includes(sound)) {
    if (onset === 'ㄴ' || onset === 'ㅁ') return { coda: nasal(sound), onset, articles: [...articles, 18] };
    if (onset === 'ㄹ') return { coda: nasal(sound), onset: 'ㄴ', articles: [...articles, 19] };
    return { coda: sound, onset: tensed, articles: tensed === onset ? articles : [...articles, 23] };
  }
  if (sound === 'ㄹ' && onset === 'ㄴ') return { coda: 'ㄹ', onset: 'ㄹ', articles: [...articles, 20] };
  if (sound === 'ㄴ' && onset === 'ㄹ') return { coda: 'ㄹ', onset: 'ㄹ', articles: [...articles, 20] };
  if ((sound === 'ㅁ' || sound === 'ㅇ') && onset === 'ㄹ')
    return { coda: sound, onset: 'ㄴ', articles: [...articles, 19] };
  if (tensed !== onset && onset !== 'ㅂ' && meeting.isStem) {
    if (sound === 'ㄴ' || sound === 'ㅁ') return { coda: sound, onset: tensed, articles: [...articles, 24] };
    if (coda === 'ㄼ' || coda === 'ㄾ') return { coda: sound, onset: tensed, articles: [...articles, 25] };
  }
  return { coda: sound, onset, articles };
}

/** Article 12.1 to 12.3: ㅎ before a consonant. */
function behindH(coda: string, onset: string): Sound {
  const rest = coda === 'ㅎ' ? '' : coda === 'ㄶ' ? 'ㄴ' : 'ㄹ';
  const strong = onset === 'ㅂ' ? undefined : aspirated(onset);
  if (strong !== undefined) return { coda: rest, onset: strong, articles: [12] };
  if (onset === 'ㅅ') return { coda: rest, onset: 'ㅆ', articles: [12] };
  if (onset === 'ㄴ') {
    if (rest === 'ㄹ') return { coda: 'ㄹ', onset: 'ㄹ', articles: [12, 20] };
    return { coda: 'ㄴ', onset: 'ㄴ', articles: [12] };
  }
  const sound = rest === '' ? 'ㄷ' : rest;
  return {
    ...beforeConsonant({ coda: sound, onset, vowel: '', nextCoda: '', isStem: false }),
    articles: [9],
  };
}
