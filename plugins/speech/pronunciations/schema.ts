/** Pronunciations in requests and answers. */
import { Type } from 'plugboard/sdk';

const spoken = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[가-힣]+(?: [가-힣]+)*$',
  description: 'how it is read, in Hangul; the rules of pronunciation still apply',
});

export const PronunciationWord = Type.Object({
  written: Type.String({
    minLength: 1,
    maxLength: 50,
    pattern: '^\\S+(?: \\S+)*$',
    description: 'as written in texts, at the start of a word',
  }),
});

export const PronunciationBody = Type.Object(
  { spoken },
  { title: 'PronunciationToSet', examples: [{ spoken: '플러그보드' }], additionalProperties: false },
);

export const Pronunciation = Type.Object(
  { written: Type.String(), spoken: Type.String() },
  { title: 'Pronunciation' },
);
export const PronunciationList = Type.Object({ pronunciations: Type.Array(Pronunciation) });
