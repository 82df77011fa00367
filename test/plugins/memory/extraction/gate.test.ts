import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../../../plugins/memory/engine/extraction/gate.js';
import type { Turn } from '../../../../plugins/memory/engine/extraction/turns.js';
import more from './more-claims.json' with { type: 'json' };

interface Case {
  /** The last is the turn that is quoted; those of the assistant begin with "> ". */
  readonly said: readonly string[];
  readonly quote: string;
  readonly fact: string;
}

function judged({ said, quote, fact }: Case): string | undefined {
  const turns = said.map((text): Turn =>
    text.startsWith('> ') ? { role: 'assistant', text: text.slice(2) } : { role: 'user', text },
  );
  return refusalOf({ fact, quote, turn: turns.length - 1 }, { turns, from: turns.length - 1 });
}

const home = 'I live in Paris with my sister Ann. We moved there in 2019.';
const supported: Case[] = [
  { said: [home], quote: 'I live in Paris', fact: "The user lives in Paris with the user's sister Ann" },
  { said: [home], quote: 'We moved there in 2019', fact: 'The user moved to Paris in 2019' },
  { said: ['I don’t eat meat. I love fish.'], quote: 'I love fish', fact: 'The user loves fish' },
  { said: ["I don't eat meat."], quote: "I don't eat meat", fact: "The user doesn't eat meat" },
  {
    said: ['> Have you got a cat?', 'Yes, her name is Mia.'],
    quote: 'her name is Mia',
    fact: "The user's cat has the name Mia",
  },
  { said: ['I pay 1,299.00 a month.'], quote: 'I pay 1,299.00 a month', fact: 'The user pays 1299 a month' },
  { said: ['I have two cats.'], quote: 'I have two cats', fact: 'The user has 2 cats' },
  {
    said: ['> I recommended the Noma to you.'],
    quote: 'I recommended the Noma',
    fact: 'The assistant recommended the Noma',
  },
  {
    said: ['Ich wohne seit Mai in Berlin.'],
    quote: 'Ich wohne seit Mai in Berlin',
    fact: 'Der Benutzer wohnt seit Mai in Berlin',
  },
  {
    said: ['Je travaille chez Renault.'],
    quote: 'Je travaille chez Renault',
    fact: "L'utilisateur travaille chez Renault",
  },
  { said: ['Trabajo en Sevilla.'], quote: 'Trabajo en Sevilla', fact: 'El usuario trabaja en Sevilla' },
  { said: ['私は東京に住んでいます。'], quote: '東京に住んでいます', fact: 'ユーザーは東京に住んでいます' },
  { said: ['저는 부산에 살아요.'], quote: '부산에 살아요', fact: '사용자는 부산에 살아요' },
  { said: ['我住在上海。'], quote: '我住在上海', fact: '用户住在上海' },
  // Of several people, each turn with the name of who speaks.
  { said: ['Maya: I went to Rome. I ate pasta.'], quote: 'I ate pasta', fact: 'Maya ate pasta' },
  { said: ['Maya: I went to Rome.'], quote: 'Maya: I went to Rome.', fact: 'Maya went to Rome' },
  { said: ['Maya: Tom hates nuts.'], quote: 'Tom hates nuts', fact: 'Tom hates nuts' },
  { said: ['마야: 저는 부산에 살아요.'], quote: '저는 부산에 살아요', fact: '마야는 부산에 살아요' },
  // Others are spoken of too.
  { said: ['I met Ann and she was nice.'], quote: 'I met Ann', fact: 'The user met Ann' },
  {
    said: ['I told her she was right.'],
    quote: 'I told her she was right',
    fact: 'The user told her she was right',
  },
  { said: ['我住在上海，其他没有。'], quote: '我住在上海', fact: '用户住在上海' },
];

const refused: Record<string, Case[]> = {
  quote_not_said: [
    { said: [home], quote: 'I live in Rome', fact: 'The user lives in Rome' },
    { said: [home], quote: ' ', fact: 'The user lives in Paris' },
    { said: ['One. Two. Three. Four.'], quote: 'One. Two. Three. Four.', fact: 'The user says one' },
  ],
  number_not_said: [
    { said: ['I pay 1,299 a month.'], quote: 'I pay 1,299 a month', fact: 'The user pays 1,399 a month' },
    {
      said: ['The rent is 900.', 'I pay 1,299 for it all.'],
      quote: 'I pay 1,299 for it all',
      fact: 'The user pays 900',
    },
    { said: ['I have two cats.'], quote: 'I have two cats', fact: 'The user has 3 cats' },
  ],
  name_not_said: [
    { said: ['I work at Acme.'], quote: 'I work at Acme', fact: 'The user works at Globex' },
    { said: ['Rome is hot.', 'I live in Paris.'], quote: 'I live in Paris', fact: 'The user lives in Rome' },
  ],
  word_not_said: [
    { said: ['I bought a house.'], quote: 'I bought a house', fact: 'The user sold a house' },
    { said: ['I went home.'], quote: 'I went home', fact: 'The user loves sushi' },
    { said: ['我住在上海。'], quote: '我住在上海', fact: '用户讨厌上海' },
  ],
  quote_says_less: [
    {
      said: ['I bought a red sports car.', 'It was fun.'],
      quote: 'It was fun',
      fact: 'The user bought a red sports car',
    },
  ],
  negation_differs: [
    { said: ["I don't eat meat."], quote: 'eat meat', fact: 'The user eats meat' },
    { said: ['I eat meat.'], quote: 'I eat meat', fact: 'The user never eats meat' },
    { said: ['Ich esse kein Fleisch.'], quote: 'Fleisch', fact: 'Der Benutzer esse Fleisch' },
  ],
  not_stated: [
    { said: ['Do I live in Paris?'], quote: 'I live in Paris', fact: 'The user lives in Paris' },
    { said: ['If I win, I move to Paris.'], quote: 'I move to Paris', fact: 'The user moves to Paris' },
    { said: ['Ich wäre gern in Berlin.'], quote: 'in Berlin', fact: 'Der Benutzer ist in Berlin' },
    { said: ['もし東京に住んでいます。'], quote: '東京に住んでいます', fact: 'ユーザーは東京に住んでいます' },
  ],
  tense_differs: [
    { said: ['I lived in Paris.'], quote: 'I lived in Paris', fact: 'The user lives in Paris' },
    { said: ['I used to smoke.'], quote: 'smoke', fact: 'The user smokes' },
  ],
  person_differs: [
    { said: ['My sister lives in Paris.'], quote: 'lives in Paris', fact: 'The user lives in Paris' },
    {
      said: ['My sister is here.', 'I live in Paris.'],
      quote: 'I live in Paris',
      fact: "The user's sister lives in Paris",
    },
  ],
  subject_differs: [
    { said: ['Ann lives in Paris.'], quote: 'lives in Paris', fact: 'The user lives in Paris' },
    { said: ['Ann is here.', 'I live in Paris.'], quote: 'I live in Paris', fact: 'Ann lives in Paris' },
    { said: ['He lives in Paris.'], quote: 'lives in Paris', fact: 'The user lives in Paris' },
    { said: ['You live in Paris.'], quote: 'live in Paris', fact: 'The user lives in Paris' },
    { said: ['I know he lives in Paris.'], quote: 'lives in Paris', fact: 'The user lives in Paris' },
    { said: ['Er wohnt in Berlin.'], quote: 'wohnt in Berlin', fact: 'Der Benutzer wohnt in Berlin' },
    {
      said: ['Elle travaille chez Renault.'],
      quote: 'travaille chez Renault',
      fact: "L'utilisateur travaille chez Renault",
    },
    { said: ['Ella trabaja en Lugo.'], quote: 'trabaja en Lugo', fact: 'El usuario trabaja en Lugo' },
    { said: ['彼は東京に住んでいます。'], quote: '東京に住んでいます', fact: 'ユーザーは東京に住んでいます' },
    { said: ['그는 부산에 살아요.'], quote: '부산에 살아요', fact: '사용자는 부산에 살아요' },
    { said: ['他住在上海。'], quote: '住在上海', fact: '用户住在上海' },
    { said: ['Maya: I went to Rome.'], quote: 'I went to Rome', fact: 'Tom went to Rome' },
    { said: ['Maya: You went to Rome.'], quote: 'You went to Rome', fact: 'Maya went to Rome' },
    { said: ['Tom: I am here.', 'Maya: I went to Rome.'], quote: 'I went to Rome', fact: 'Tom went to Rome' },
  ],
  speaker_differs: [
    { said: ['> You live in Paris.'], quote: 'You live in Paris', fact: 'The user lives in Paris' },
    { said: ['I live in Paris.'], quote: 'I live in Paris', fact: 'The assistant lives in Paris' },
    { said: ['> I live in Paris.'], quote: 'I live in Paris', fact: 'I live in Paris' },
  ],
  says_nothing: [{ said: ['I am me.'], quote: 'I am me', fact: 'The user is' }],
};

test('a fact that its turn says is let through, in six languages and Chinese', () => {
  for (const one of supported) assert.equal(judged(one), undefined, one.fact);
});

for (const [code, cases] of Object.entries(refused))
  test(`what is no fact of the turn is refused: ${code}`, () => {
    for (const one of cases) assert.match(judged(one) ?? 'let through', new RegExp(`^${code}: `), one.fact);
  });

test('a turn that was read before, or that is not there, is no source', () => {
  const turns: Turn[] = [
    { role: 'user', text: 'I live in Paris.' },
    { role: 'user', text: 'I live here.' },
  ];
  const fact = { fact: 'The user lives in Paris', quote: 'I live in Paris' };
  for (const turn of [0, 2, 1e9])
    assert.match(refusalOf({ ...fact, turn }, { turns, from: 1 }) ?? '', /^turn_unknown: /);
});

/** Written after the gate, to find what it does not know. */
test('of 60 facts in six languages two are refused, of 86 that nobody stated three are kept', () => {
  const refused = more.said.filter((claim) => judged(claim) !== undefined).map(({ fact }) => fact);
  assert.deepEqual(refused, ['The user is called Sam', 'Der Nutzer arbeitet nachts']);
  const kept = more.notSaid.filter((claim) => judged(claim) === undefined).map(({ said }) => said[0]);
  assert.deepEqual(kept, [
    'In the game I am a wizard.',
    'My car insurance is with AXA, my home insurance with Zurich.',
    'It is rumored that I am rich.',
  ]);
});
