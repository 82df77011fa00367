/**
 * The keyword index vs MiniSearch (with our analyzer, and with its own) and SQLite's FTS5, on the same short
 * documents and the same queries of 6 words, any of which may match.
 */
import MiniSearch from 'minisearch';
import type { Bench } from '../context.js';
import { sentence, uniform } from '../random.js';
import { openSqlite } from '../sqlite.js';
import { percentile } from '../table.js';
import { analyze, attributes, clock, KeywordIndex } from './engines.js';

const QUERIES = 60;
const CHANGES = 500;
const WANTED = 20;
const VOCABULARY = 30_000;

interface Engine {
  readonly name: string;
  add(id: number, text: string): void;
  remove(id: number): void;
  /** Number of hits. */
  search(query: string): number;
  /** Called when all documents are added. */
  ready?(): void;
}

export default async function run(bench: Bench): Promise<void> {
  const documents = bench.options.documents ?? 100_000;
  const random = uniform(11);
  const text = (): string => sentence(12 + Math.floor(random() * 36), VOCABULARY, random);
  const texts = Array.from({ length: documents + CHANGES }, text);
  const query = (): string => {
    const source = texts[Math.floor(random() * documents)]!.split(' ');
    return Array.from({ length: 6 }, () => source[Math.floor(random() * source.length)]).join(' ');
  };
  const sides = [
    ours(),
    miniSearch('MiniSearch, our analyzer', {
      tokenize: (words) => analyze(words).terms,
      processTerm: (term) => term,
    }),
    miniSearch('MiniSearch as it comes', {}),
    await fts5(),
  ];
  const queries = Array.from({ length: QUERIES }, query);
  await bench.compare({
    what: `${documents} documents`,
    sides,
    once: true,
    reference: 'MiniSearch as it comes',
    async measure(engine) {
      const before = heap();
      const build = spent(() => {
        for (let id = 0; id < documents; id++) engine.add(id, texts[id]!);
        engine.ready?.();
      });
      const megabytes = heap() - before;
      for (const each of queries.slice(0, 10)) engine.search(each);
      const times = queries.map((each) => spent(() => engine.search(each)));
      const insert = spent(() => {
        for (let id = documents; id < texts.length; id++) engine.add(id, texts[id]!);
      });
      const remove = spent(() => {
        for (let at = 0; at < CHANGES; at++) engine.remove(at);
      });
      return {
        'build, s': build / 1_000,
        'heap, MB': megabytes,
        'query p50, ms': percentile(times, 0.5),
        'query p95, ms': percentile(times, 0.95),
        'insert, us': (insert * 1_000) / CHANGES,
        'delete, us': (remove * 1_000) / CHANGES,
      };
    },
  });
}

function ours(): Engine {
  const index = new KeywordIndex(clock);
  const given = attributes();
  return {
    name: 'keyword index',
    add: (id, text) => index.upsert(String(id), given, text),
    remove: (id) => void index.delete(String(id)),
    search: (query) => index.search(query, { owner: 'bench', limit: WANTED }).length,
  };
}

function miniSearch(
  name: string,
  options: { tokenize?: (text: string) => string[]; processTerm?: (term: string) => string },
): Engine {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'], ...options });
  return {
    name,
    add: (id, text) => index.add({ id, text }),
    remove: (id) => index.discard(id),
    search: (query) => index.search(query).slice(0, WANTED).length,
  };
}

/** Its memory is outside of the heap. */
async function fts5(): Promise<Engine> {
  const database = await openSqlite(':memory:');
  database.exec("create virtual table entries using fts5 (text, tokenize = 'porter unicode61')");
  database.exec('begin');
  const insert = database.prepare('insert into entries (rowid, text) values (?, ?)');
  const remove = database.prepare('delete from entries where rowid = ?');
  const select = database.prepare(
    `select rowid from entries where entries match ? order by rank limit ${WANTED}`,
  );
  return {
    name: 'FTS5 of SQLite',
    add: (id, text) => void insert.run(id, text),
    remove: (id) => void remove.run(id),
    search: (query) =>
      select.all(
        query
          .split(' ')
          .map((word) => `"${word}"`)
          .join(' OR '),
      ).length,
    ready: () => database.exec('commit'),
  };
}

function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

/** Milliseconds. */
function spent(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}
