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

test('however the text is cut into pieces, the events are the same', () => {
  const text = 'data: {"x":1}\r\n\r\n: note\n\ndata: zwei\ndata: drei\n\ndata: [DONE]\n\n';
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
  assert.equal(parser.isInside, true);
  assert.throws(() => parser.push('x'.repeat(20)), EventTooLarge);
});
