import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { KeywordIndex } from '../../../../plugins/memory/engine/keyword/index.js';
import { attributes, TestClock } from '../entries.js';

const folder = resolve(import.meta.dirname, '../../../../../test/plugins/memory/korean');
const read = (name: string): unknown => JSON.parse(readFileSync(resolve(folder, name), 'utf8'));

const entries = read('entries.json') as { id: string; text: string }[];
const questions = read('questions.json') as { question: string; evidence: string }[];

test('questions with other particles and endings find their Korean entry among 200: recall@5 is at least 0.9', () => {
  const index = new KeywordIndex(new TestClock());
  for (const { id, text } of entries) index.upsert(id, attributes(), text);
  assert.ok(index.size >= 200 && questions.length >= 30);
  const missed = questions.filter(({ question, evidence }) => {
    return !index.search(question, { owner: null, limit: 5 }).some((hit) => hit.id === evidence);
  });
  const recall = 1 - missed.length / questions.length;
  assert.ok(
    recall >= 0.9,
    `recall@5 is ${recall}; missed: ${missed.map(({ question }) => question).join(' ')}`,
  );
});
