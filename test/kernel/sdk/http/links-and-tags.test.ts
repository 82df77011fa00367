import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCursor, encodeCursor, entityTag, linkHeader, noneMatchHolds, pageLinks } from 'plugboard/sdk';

test('a Link header lists the relations that there are, quoted', () => {
  assert.equal(linkHeader({ next: 'http://x/?page=2', last: undefined }), '<http://x/?page=2>; rel="next"');
  assert.equal(linkHeader({}), undefined);
});

test('page links keep the other parameters and leave out what does not exist', () => {
  const url = 'http://x/items?q=a&page=2';
  assert.equal(
    pageLinks(url, 2, 3),
    '<http://x/items?q=a&page=1>; rel="prev", <http://x/items?q=a&page=3>; rel="next", <http://x/items?q=a&page=3>; rel="last", <http://x/items?q=a&page=1>; rel="first"',
  );
  assert.equal(pageLinks(url, 1, 1), undefined);
  assert.match(String(pageLinks(url, 9, 3)), /page=3>; rel="prev"/);
  assert.match(String(pageLinks('http://x/items', 1, 2)), /^<http:\/\/x\/items\?page=2>; rel="next"/);
});

test('If-None-Match compares weakly, in lists, and * matches everything', () => {
  const tag = entityTag('body');
  assert.match(tag, /^"[\w-]{27}"$/);
  for (const [header, holds] of [
    [undefined, true],
    [tag, false],
    [`W/${tag}`, false],
    [`"other", ${tag}`, false],
    ['"other"', true],
    ['*', false],
  ] as const) {
    assert.equal(noneMatchHolds(header, tag), holds, String(header));
  }
});

test('a cursor comes back as it was, and a text that is none is undefined', () => {
  assert.deepEqual(decodeCursor(encodeCursor({ at: 3, id: '기억' })), { at: 3, id: '기억' });
  assert.equal(decodeCursor('not a cursor'), undefined);
});
