/**
 * The keyword index beside MiniSearch (with our analyzer, and as it comes) and SQLite's FTS5, on the same short
 * documents and the same queries, in one run. `npm run memory:keywords` in tools/bench.
 */
import MiniSearch from 'minisearch';
import sqlite from 'node-sqlite3-wasm';
import { machine, table } from '../table.js';
import { analyze, attributes, clock, KeywordIndex } from './engines.js';
import { uniform } from './random.js';

const DOCUMENTS = 100_000;
const QUERIES = 60;
const CHANGES = 500;
const WANTED = 20;

interface Engine {
  readonly name: string;
  add(id: number, text: string): void;
  remove(id: number): void;
  /** Number of hits. */
  search(query: string): number;
  /** Called when all documents are added. */
  ready?(): void;
}

const random = uniform(11);
const vocabulary = words(30_000);
const texts = Array.from({ length: DOCUMENTS + CHANGES }, () => sentence(12 + Math.floor(random() * 36)));
const queries = Array.from({ length: QUERIES }, () => {
  const source = texts[Math.floor(random() * DOCUMENTS)]!.split(' ');
  return Array.from({ length: 6 }, () => source[Math.floor(random() * source.length)]).join(' ');
});

console.log(
  `${machine()}; ${DOCUMENTS.toLocaleString('en')} documents of 12 to 47 words, ${QUERIES} queries of 6 words, any of them\n`,
);
const rows = [
  ours,
  () =>
    miniSearch('MiniSearch, our analyzer', {
      tokenize: (text) => analyze(text).terms,
      processTerm: (term) => term,
    }),
  () => miniSearch('MiniSearch as it comes', {}),
  fts5,
].map((open) => measure(open));
console.log(table(['engine', 'build s', 'p50 ms', 'p95 ms', 'insert us', 'delete us', 'heap MB'], rows));

function measure(open: () => Engine): (string | number)[] {
  const before = heap();
  const engine = open();
  const began = performance.now();
  for (let id = 0; id < DOCUMENTS; id++) engine.add(id, texts[id]!);
  engine.ready?.();
  const build = (performance.now() - began) / 1000;
  const megabytes = heap() - before;
  for (const query of queries.slice(0, 10)) engine.search(query);
  const times = queries.map((query) => spent(() => engine.search(query))).sort((a, b) => a - b);
  const insert = spent(() => each(CHANGES, (at) => engine.add(DOCUMENTS + at, texts[DOCUMENTS + at]!)));
  const remove = spent(() => each(CHANGES, (at) => engine.remove(at * 7)));
  return [
    engine.name,
    build.toFixed(2),
    times[times.length >> 1]!.toFixed(2),
    times[Math.floor(times.length * 0.95)]!.toFixed(2),
    ((insert * 1000) / CHANGES).toFixed(0),
    ((remove * 1000) / CHANGES).toFixed(0),
    megabytes.toFixed(0),
  ];
}

function ours(): Engine {
  const index = new KeywordIndex(clock);
  const given = attributes();
  return {
    name: 'keyword index',
    add: (id, text) => index.upsert(String(id), given, text),
    remove: (id) => void index.delete(String(id)),
    search: (query) => index.search(query, { owner: 'bench', limit: WANTED }).length,
    ready: () => {
      const { bytesPerEntry } = index.stats();
      console.log(
        `The keyword index reports ${((bytesPerEntry * 100_000) / 1e6).toFixed(0)} MB per 100,000 entries.\n`,
      );
    },
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

/** A database in WebAssembly's memory, which the heap figure leaves out. */
function fts5(): Engine {
  const database = new sqlite.Database();
  database.exec("create virtual table entries using fts5 (text, tokenize = 'porter unicode61')");
  database.exec('begin');
  const insert = database.prepare('insert into entries (rowid, text) values (?, ?)');
  const remove = database.prepare('delete from entries where rowid = ?');
  const select = database.prepare(
    `select rowid from entries where entries match ? order by rank limit ${WANTED}`,
  );
  return {
    name: 'FTS5 (node-sqlite3-wasm)',
    add: (id, text) => void insert.run([id, text]),
    remove: (id) => void remove.run([id]),
    search: (query) =>
      select.all([
        query
          .split(' ')
          .map((word) => `"${word}"`)
          .join(' OR '),
      ]).length,
    ready: () => database.exec('commit'),
  };
}

function words(count: number): string[] {
  const syllables = [
    'ba',
    'ke',
    'lo',
    'mi',
    'nu',
    'ra',
    'si',
    'to',
    'ven',
    'gar',
    'pol',
    'dim',
    'ash',
    'urt',
    'eck',
  ];
  const made = new Set<string>();
  while (made.size < count) {
    made.add(
      Array.from(
        { length: 2 + Math.floor(random() * 3) },
        () => syllables[Math.floor(random() * syllables.length)],
      ).join(''),
    );
  }
  return [...made];
}

/** Words by Zipf's law: the n-th most common occurs 1/n as often as the first. */
function sentence(length: number): string {
  return Array.from({ length }, () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]).join(' ');
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

function each(count: number, run: (at: number) => void): void {
  for (let at = 0; at < count; at++) run(at);
}
