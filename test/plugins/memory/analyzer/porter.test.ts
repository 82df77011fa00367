import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stem } from '../../../../plugins/memory/analyzer/porter.js';

// the examples of the paper, rule by rule, followed through all steps
const STEMS: Readonly<Record<string, string>> = {
  ...{ caresses: 'caress', ponies: 'poni', ties: 'ti', caress: 'caress', cats: 'cat' },
  ...{ feed: 'feed', agreed: 'agre', plastered: 'plaster', bled: 'bled', motoring: 'motor', sing: 'sing' },
  ...{ conflated: 'conflat', troubled: 'troubl', sized: 'size', hopping: 'hop', tanned: 'tan' },
  ...{ falling: 'fall', hissing: 'hiss', fizzed: 'fizz', failing: 'fail', filing: 'file' },
  ...{ happy: 'happi', sky: 'sky', relational: 'relat', conditional: 'condit', rational: 'ration' },
  ...{ valenci: 'valenc', digitizer: 'digit', conformabli: 'conform', radicalli: 'radic' },
  ...{ differentli: 'differ', vileli: 'vile', analogousli: 'analog', vietnamization: 'vietnam' },
  ...{ predication: 'predic', operator: 'oper', feudalism: 'feudal', decisiveness: 'decis' },
  ...{ hopefulness: 'hope', callousness: 'callous', formaliti: 'formal', sensitiviti: 'sensit' },
  ...{
    triplicate: 'triplic',
    formative: 'form',
    formalize: 'formal',
    electrical: 'electr',
    goodness: 'good',
  },
  ...{ revival: 'reviv', allowance: 'allow', inference: 'infer', airliner: 'airlin', adjustable: 'adjust' },
  ...{ replacement: 'replac', adjustment: 'adjust', dependent: 'depend', adoption: 'adopt' },
  ...{ communism: 'commun', activate: 'activ', effective: 'effect', bowdlerize: 'bowdler' },
  ...{ probate: 'probat', rate: 'rate', cease: 'ceas', controll: 'control', roll: 'roll' },
};

test("the examples of Porter's paper have the paper's stems", () => {
  for (const [word, expected] of Object.entries(STEMS)) assert.equal(stem(word), expected, word);
});

test('a short word, a number and a word of another alphabet are their own stems', () => {
  for (const word of ['is', 'a', '2024s', 'москвы']) assert.equal(stem(word), word);
});
