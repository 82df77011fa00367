import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judge, type Original } from '../../../../plugins/memory/engine/maintenance/summary-gate.js';
import { memoryServer, testClock, type Answer } from '../support/memory-server.js';
import { fakeModels } from '../support/models.js';

const original = (content: string): Original => ({ _id: content, key: content, content }) as Original;

/** Why each note is refused under a summary; null: the summary says it. */
function judged(summary: string, ...notes: string[]): (string | null)[] {
  const { refused } = judge(summary, notes.map(original));
  const reasons = new Map(refused.map(({ original: { content }, reason }) => [content, reason]));
  return notes.map((note) => reasons.get(note) ?? null);
}

describe('the gate of summaries', () => {
  test('a summary that says what the notes say replaces them, in any of the languages', () => {
    const cases: readonly [summary: string, ...notes: string[]][] = [
      ['Ann likes green tea and has two children.', 'Ann likes green tea.', 'Ann has 2 children.'],
      ['The laptop was 1299 euros.', 'The laptop was 1,299.00 euros.'],
      ['Anna mag grünen Tee, sie hat drei Katzen.', 'Anna mag grünen Tee.', 'Anna hat 3 Katzen.'],
      ['Marie habite à Lyon, au 12 rue Garibaldi.', 'Marie habite au 12 rue Garibaldi à Lyon.'],
      ['고양이가 두 마리 있다', '고양이가 두 마리 있다'],
      ['She does not eat peanuts. She likes tea.', 'She does not eat peanuts.', 'She likes tea.'],
    ];
    for (const [summary, ...notes] of cases)
      assert.deepEqual(
        judged(summary, ...notes),
        notes.map(() => null),
        summary,
      );
  });

  test('a note whose number, name, words or negation the summary lacks stays', () => {
    const cases: readonly [summary: string, note: string, reason: RegExp][] = [
      ['ok', 'likes green tea', /^says_too_little/],
      ['The rent is due on the 1st.', 'The rent of 840 is due on the 1st.', /^number_missing: 840/],
      ['Likes green tea.', 'Ann likes green tea.', /^name_missing: Ann/],
      ['She eats peanuts.', 'She does not eat peanuts.', /^negation_differs/],
      ['She never eats peanuts.', 'She eats peanuts.', /^negation_differs/],
      ['She likes tea.', 'She likes tea. The dog is called Rex by the kids.', /^name_missing: Rex/],
    ];
    for (const [summary, note, reason] of cases)
      assert.match(judged(summary, note)[0] ?? '', reason, summary);
  });

  test('a summary with a number or a name that no note has replaces none of them', () => {
    const notes = ['Ann likes green tea.', 'Ann lives in Lyon.'] as const;
    for (const [summary, reason] of [
      ['Ann, 34, likes green tea and lives in Lyon.', 'number_invented: 34'],
      ['Ann likes green tea and lives in Lyon with Bob.', 'name_invented: Bob'],
    ] as const)
      assert.deepEqual(judged(summary, ...notes), [reason, reason]);
  });
});

describe('a summary of a model over HTTP', () => {
  const notes = [
    'The dentist is on 4 May at 9.',
    'Ann likes green tea.',
    'The spare key is with Mrs Olsen.',
    'The cat is not allowed on the balcony.',
    'The rent is 840 a month.',
    'The printer needs toner in black.',
  ];

  async function withNotes(reply: string) {
    const clock = testClock();
    const models = fakeModels();
    models.reply = reply;
    const memory = await memoryServer({ clock, models, config: { summaryModel: 'up/chat' } });
    for (const content of notes) await memory.call('POST', '/api/memory', { key: content, content });
    clock.advance(31 * 86_400_000);
    const contents = async (): Promise<string[]> =>
      (await memory.call('GET', '/api/memory')).body.data.map(({ content }: Answer) => content).sort();
    return { memory, contents };
  }

  test('"ok" in place of six notes is refused, and the answer says which notes stay and why', async () => {
    const { memory, contents } = await withNotes('ok');
    await using _ = memory;
    for (const dryRun of [true, false]) {
      const { body } = await memory.call('POST', '/api/memory/summarize', { dryRun });
      assert.deepEqual([body.candidates, body.tokensSaved, body.refused], [0, 0, 6]);
      const reasons = Object.fromEntries(body.refusals.map(({ key, reason }: Answer) => [key, reason]));
      assert.equal(reasons['The rent is 840 a month.'], 'number_missing: 840');
      assert.match(reasons['The printer needs toner in black.'], /^says_too_little: /);
      assert.deepEqual(await contents(), notes.toSorted());
    }
  });

  test('notes that the summary says are folded into it, the others stay and are no part of it', async () => {
    const { memory, contents } = await withNotes(
      'Dentist 4 May at 9. Ann likes green tea. Toner for the printer.',
    );
    await using _ = memory;
    const { body } = await memory.call('POST', '/api/memory/summarize', { dryRun: true });
    assert.deepEqual(body.plans[0].standsFor.map(({ key }: Answer) => key).sort(), [
      'Ann likes green tea.',
      'The dentist is on 4 May at 9.',
      'The printer needs toner in black.',
    ]);
    const { refusals: _shown, ...done } = (await memory.call('POST', '/api/memory/summarize')).body;
    assert.deepEqual(done, { candidates: 3, tokensSaved: body.tokensSaved, dryRun: false, refused: 3 });
    const left = await contents();
    assert.equal(left.length, 4);
    assert.ok(left.includes('The cat is not allowed on the balcony.'));
  });
});
