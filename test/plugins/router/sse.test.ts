import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventTooLarge, SseParser } from '../../../plugins/router/call/sse.js';

const datas = (parser: SseParser, ...pieces: string[]): (string | undefined)[] =>
  pieces.flatMap((piece) => parser.push(piece)).map(({ data }) => data);

test('events end at a blank line, whatever ends the lines', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['data: a', '', ': note', '', 'event: x', 'data:b', 'data: c', '', ''].join(end);
    assert.deepEqual(datas(new SseParser(100), text), ['a', undefined, 'b\nc']);
  }
});

test('a blank line may mix line ends', () => {
  assert.deepEqual(datas(new SseParser(100), 'data: a\n\r\ndata: b\r\n\ndata: c\n\rdata: d\r\r\n'), [
    'a',
    'b',
    'c',
    'd',
  ]);
});

test('a byte order mark at the beginning is not part of the first event', () => {
  assert.deepEqual(datas(new SseParser(100), '', '\uFEFFdata: a\n\n\uFEFFdata: b\n\n'), ['a', undefined]);
});

test('however the text is cut into pieces, the events are the same', () => {
  const text = 'data: {"x":1}\r\n\r\n: note\n\ndata: zwei\ndata: drei\n\r\ndata: 4\r\n\ndata: [DONE]\n\n';
  const whole = new SseParser(1_000).push(text);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const parser = new SseParser(1_000);
      const events = places.slice(1).flatMap((to, at) => parser.push(text.slice(places[at], to)));
      assert.deepEqual(events, whole);
      assert.equal(events.map((event) => event.text).join(''), text, 'nothing is lost or changed');
    }),
  );
});

test('an event without an end is seen as one, up to the limit', () => {
  const parser = new SseParser(20);
  parser.push('data: half');
  assert.equal(parser.rest(), 'data: half');
  assert.throws(() => parser.push('x'.repeat(20)), EventTooLarge);
});
