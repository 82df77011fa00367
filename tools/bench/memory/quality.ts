/**
 * How much of the known evidence the retrieval finds: conversations turn by turn as episodic entries, one owner a
 * conversation, and questions whose evidence turns are known. `npm run memory:quality` in tools/bench.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { table } from '../table.js';
import {
  attributes,
  clock,
  fuse,
  HashingEmbedder,
  KeywordIndex,
  SessionOrder,
  smooth,
  VectorIndex,
  type Hit,
} from './engines.js';

interface Conversation {
  readonly sessions: readonly (readonly {
    readonly id: string;
    readonly speaker: string;
    readonly text: string;
  }[])[];
  readonly questions: readonly { readonly question: string; readonly evidence: readonly string[] }[];
}

type Retrieve = (question: string, owner: string) => Promise<Hit[]>;

const folder = resolve(import.meta.dirname, '../../memory/conversations');
/** Hits that each ranking gives to the fusion. */
const DEPTH = 100;

const keyword = new KeywordIndex(clock);
const embedder = new HashingEmbedder((owner) => keyword.statistics(owner));
const vector = new VectorIndex({ model: embedder.model, dimensions: embedder.dimensions, clock });
const sessions = new SessionOrder(clock);
const conversations = new Map<string, Conversation>();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const conversation = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Conversation;
  conversations.set(file, conversation);
  await remember(file, conversation);
}

const exact: Retrieve = (question, owner) =>
  Promise.resolve(keyword.search(question, { owner, limit: DEPTH }));
const semantic: Retrieve = async (question, owner) => {
  return vector.search(await embedder.embedQuery(question, owner), { owner, limit: DEPTH });
};
const hybrid =
  (words: Retrieve, meaning: Retrieve, weight: number): Retrieve =>
  async (question, owner) =>
    fuse([
      { hits: await words(question, owner), weight },
      { hits: await meaning(question, owner), weight: 1 - weight },
    ]);
const withNeighbours =
  (retrieve: Retrieve): Retrieve =>
  async (question, owner) =>
    smooth(await retrieve(question, owner), (id) => sessions.neighbours(id));

const rows: (string | number)[][] = [];
for (const [name, retrieve] of [
  ['exact', exact],
  ['semantic (hash-1024-v1)', semantic],
  ['hybrid, 0.7 and 0.3', hybrid(exact, semantic, 0.7)],
  ['hybrid, equal weights', hybrid(exact, semantic, 0.5)],
  ['exact, neighbours', withNeighbours(exact)],
  ['semantic, neighbours', withNeighbours(semantic)],
  ['hybrid, 0.7 and 0.3, neighbours in both', hybrid(withNeighbours(exact), withNeighbours(semantic), 0.7)],
  ['hybrid, 0.7 and 0.3, neighbours after the fusion', withNeighbours(hybrid(exact, semantic, 0.7))],
] as const) {
  rows.push([name, ...(await score(retrieve))]);
}
const turns = keyword.size;
const questions = [...conversations.values()].reduce((sum, { questions }) => sum + questions.length, 0);
console.log(`${conversations.size} conversations, ${turns} turns, ${questions} questions\n`);
console.log(table(['retrieval', 'recall@5', 'recall@10', 'MRR'], rows));
await vector.close();

async function remember(owner: string, conversation: Conversation): Promise<void> {
  for (const [number, session] of conversation.sessions.entries()) {
    for (const [at, { id, speaker, text }] of session.entries()) {
      const place = `${owner}/${id}`;
      const given = attributes({ owner, session: `${number}`, createdAt: number * 1e6 + at });
      const content = `${speaker}: ${text}`;
      keyword.upsert(place, given, content);
      sessions.upsert(place, given);
      const [embedded] = await embedder.embedDocuments([content]);
      vector.upsert(place, given, embedded!);
    }
  }
}

/** Recall is the share of a question's evidence found; MRR the mean of 1 / rank of the first evidence. In percent. */
async function score(retrieve: Retrieve): Promise<string[]> {
  let asked = 0;
  const sums = { five: 0, ten: 0, reciprocal: 0 };
  for (const [owner, { questions }] of conversations) {
    for (const { question, evidence } of questions) {
      const found = (await retrieve(question, owner)).map((hit) => hit.id);
      const ranks = evidence.map((id) => found.indexOf(`${owner}/${id}`));
      const within = (limit: number): number => ranks.filter((rank) => rank >= 0 && rank < limit).length;
      sums.five += within(5) / evidence.length;
      sums.ten += within(10) / evidence.length;
      const first = Math.min(...ranks.map((rank) => (rank < 0 ? Infinity : rank)));
      sums.reciprocal += 1 / (first + 1);
      asked++;
    }
  }
  return [sums.five, sums.ten, sums.reciprocal].map((sum) => ((100 * sum) / asked).toFixed(1));
}
