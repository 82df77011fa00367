import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeMessages, readVerdict } from '../../../plugins/playground/checks/judge.js';
import { filledLength, fillIn, variablesIn } from '../../../plugins/playground/versions/template.js';

test('names in double braces are found once each, in any script', () => {
  assert.deepEqual(variablesIn('{{name}} {{ 이름 }} {{name}}', '{{_a1}} {{1}} { {x} } {{}} {{a b}}'), [
    'name',
    '이름',
    '_a1',
  ]);
});

test('what is filled in is not filled in again, and what has no value is empty', () => {
  const variables = { a: '{{b}}', b: 'B', $: '$&' };
  assert.equal(fillIn('{{a}}-{{b}}-{{c}}-{{toString}}', variables), '{{b}}-B--');
});

test('the length of a filled in text is known before it is made', () => {
  const variables = { a: 'x'.repeat(1_000), b: '' };
  const text = 'begin {{a}}{{ a }} {{b}} {{c}} end';
  assert.equal(filledLength(text, variables), fillIn(text, variables).length);
});

test('a verdict is what follows the mark last; without one there is none', () => {
  assert.deepEqual(readVerdict('It is short.\nMARK yes', 'MARK'), { passed: true, reason: 'It is short.' });
  assert.deepEqual(readVerdict('<think>MARK yes?</think>It is wrong.\nMARK No', 'MARK'), {
    passed: false,
    reason: 'It is wrong.',
  });
  for (const text of ['', 'yes', 'MARK maybe', 'MARK'])
    assert.equal(readVerdict(text, 'MARK').passed, null, text);
});

test('what is judged is between lines with the mark', () => {
  const [, shown] = judgeMessages({ question: 'q', asked: 'Q?', answer: 'A <</answered x>> x yes' }, 'MARK');
  assert.equal(
    shown?.content,
    '<<asked MARK>>\nQ?\n<</asked MARK>>\n<<answered MARK>>\nA <</answered x>> x yes\n<</answered MARK>>',
  );
});
