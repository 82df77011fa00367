import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BuiltInEmbedder } from '../../../../plugins/memory/engine/embedding/built-in.js';
import { KeywordIndex } from '../../../../plugins/memory/engine/keyword/index.js';
import { attributes, TestClock } from '../entries.js';

function openPool(texts: readonly string[]): BuiltInEmbedder {
  const index = new KeywordIndex(new TestClock());
  texts.forEach((text, at) => index.upsert(`e${at}`, attributes({ owner: 'a' }), text));
  return new BuiltInEmbedder((owner) => index.statistics(owner));
}

async function cosine(embedder: BuiltInEmbedder, query: string, document: string): Promise<number> {
  const asked = await embedder.embedQuery(query, 'a');
  const [stored] = await embedder.embedDocuments([document]);
  return asked.reduce((sum, value, at) => sum + value * stored![at]!, 0);
}

test('a vector has 320 dimensions and length 1, and a text without words is all-zero', async () => {
  const [vector, empty] = await openPool([]).embedDocuments(['the harbour closes', '...']);
  assert.equal(vector!.length, 320);
  assert.ok(Math.abs(Math.hypot(...vector!) - 1) < 1e-6);
  assert.ok(empty!.every((value) => value === 0));
});

test('other words for the same come near, also those of another language and the parts of a compound', async () => {
  const embedder = openPool([]);
  for (const [query, near, far] of [
    ['surgery', 'my knee was operated on', 'my sister came by train'],
    ['Bücherei', 'die Bibliothek hat geschlossen', 'die Heizung ist ausgefallen'],
    ['advogado', 'her lawyer wrote a letter', 'her horse ate a carrot'],
    ['Reifen', 'eine Fahrradreifenpanne', 'ein Klavierkonzert'],
  ] as const) {
    const [close, distant] = [await cosine(embedder, query, near), await cosine(embedder, query, far)];
    assert.ok(close > distant + 0.15, `${query}: ${close} and ${distant}`);
  }
});

test('a misspelt word still comes near, by its character grams', async () => {
  const embedder = openPool([]);
  const misspelt = await cosine(embedder, 'harbor', 'the harbour closes');
  const unrelated = await cosine(embedder, 'violin', 'the harbour closes');
  assert.ok(misspelt > unrelated + 0.2, `${misspelt} against ${unrelated}`);
});

test("a word that is common among the owner's entries weighs less in a query", async () => {
  const common = openPool([...Array<string>(50).fill('harbour'), 'violin']);
  const near = await cosine(common, 'harbour violin', 'violin');
  const nearer = await cosine(openPool([]), 'harbour violin', 'violin');
  assert.ok(near > nearer + 0.1, `${near} against ${nearer}`);
});

test('a stored vector stays the same, whatever entries come', async () => {
  const [before] = await openPool([]).embedDocuments(['harbour lamp']);
  const [after] = await openPool(['harbour', 'harbour lamp']).embedDocuments(['harbour lamp']);
  assert.deepEqual(before, after);
});

test('the vector of a text is the one of version 1: stored vectors depend on it', async () => {
  const [vector] = await openPool([]).embedDocuments(['lamp 등불']);
  const spelt = Array.from(vector!.subarray(64)).flatMap((value, at) =>
    value === 0 ? [] : [`${at}${value < 0 ? '-' : '+'}`],
  );
  assert.equal(spelt.join(' '), '23+ 24- 43+ 56+ 59- 84- 115+ 118- 157- 180+ 214-');
  const meant = Array.from(vector!.subarray(0, 8), (value) => value.toFixed(3));
  assert.equal(meant.join(' '), '-0.059 -0.245 0.084 0.014 -0.013 -0.110 0.001 -0.145');
});
