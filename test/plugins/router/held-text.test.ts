/** A text under a guard: what a match may still need is held back, however the text is cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldText } from '../../../plugins/router/guards/held-text.js';
import { mapValues } from '../../../plugins/router/guards/values.js';
import { seeded } from './support/seeded.js';

const findIn = (pattern: RegExp) => (text: string, from: number) => {
  const here = new RegExp(pattern);
  here.lastIndex = from;
  return Array.from(text.matchAll(here), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
    replacement: '#',
  }));
};

function through(text: string, window: number, pattern: RegExp, cut: () => number): string {
  const held = new HeldText(window, findIn(pattern));
  let passed = '';
  for (let at = 0; at < text.length;) {
    const length = cut();
    passed += held.take(text.slice(at, at + length));
    at += length;
  }
  return passed + held.end();
}

test('a match of up to the window is found wherever the pieces are cut', () => {
  const random = seeded(37);
  for (let round = 0; round < 2_000; round += 1) {
    const letters = Array.from({ length: 60 }, () => 'ab 12'[Math.floor(random() * 5)]);
    const text = letters.join('');
    const pattern = [/\b\d{2,4}\b/g, /ab/g, /(?:^|\s)b+/g][round % 3]!;
    const window = 6 + Math.floor(random() * 10);
    const longest = Math.max(0, ...Array.from(text.matchAll(pattern), ([match]) => match.length));
    if (longest > window) continue;
    const passed = through(text, window, pattern, () => 1 + Math.floor(random() * 9));
    assert.equal(
      passed,
      text.replace(pattern, '#'),
      JSON.stringify({ text, window, pattern: String(pattern) }),
    );
  }
});

test('of a match that is longer than the window nothing passes either, and nothing piles up', () => {
  const passed = through('1'.repeat(10_000), 10, /\d+/g, () => 3);
  assert.match(passed, /^#+$/);
  const held = new HeldText(10, findIn(/\d+/g));
  let longest = 0;
  for (let piece = 0; piece < 1_000; piece += 1) longest = Math.max(longest, held.take('abc').length);
  assert.ok(longest < 30, `${longest} characters at once`);
});

test('a character of two units is never cut', () => {
  const held = new HeldText(3, findIn(/x/g), 1);
  const faces = '😀'.repeat(20);
  for (let at = 0; at < faces.length; at += 1) {
    const passed = held.take(faces.slice(at, at + 1));
    assert.equal(Buffer.from(passed).toString(), passed);
  }
  const rest = held.end();
  assert.equal(Buffer.from(rest).toString(), rest);
});

test('redactions that overlap, lie outside or are empty are put in order', () => {
  const held = new HeldText(0, () => [
    { start: 4, end: 400, replacement: '!' },
    { start: -5, end: 2, replacement: '?' },
    { start: 1, end: 3, replacement: '+' },
    { start: 3, end: 3, replacement: 'never' },
  ]);
  assert.equal(held.take('abcdef') + held.end(), '?+d!');
});

test('the values of a JSON text are looked at as they are meant, and its form stays', () => {
  const hide = (value: string): string => value.replace(/secret|4111/g, '#');
  assert.equal(
    mapValues('{"a": "\\u0073ecret", "n":41110, "deep":[{"b":"say \\"secret\\""}], "t":true}', hide),
    '{"a": "#", "n":"#0", "deep":[{"b":"say \\"#\\""}], "t":true}',
  );
  assert.equal(mapValues('{"a": "secr', hide), '{"a": "secr');
  assert.equal(mapValues('not JSON: secret', hide), 'not JSON: #');
  const deep = '['.repeat(50_000) + '"secret"' + ']'.repeat(50_000);
  assert.equal(mapValues(deep, hide), deep.replace('secret', '#'));
});
