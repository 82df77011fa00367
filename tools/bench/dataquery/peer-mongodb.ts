/**
 * What a careful programmer gets from MongoDB's driver by hand, for the usual requests: bare Fastify, a query for each
 * level with the keys of the one above, only the members that are shown.
 */
import { fastify } from 'fastify';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { films, people, roles } from './cinema.js';

interface Row extends Document {
  readonly _id: number;
}

const client = await MongoClient.connect(process.argv[2] ?? '');
const database = client.db(process.argv[3] ?? 'bench_by_hand');
const [filmRows, personRows, roleRows] = [
  database.collection<Row>('films'),
  database.collection<Row>('people'),
  database.collection('roles'),
];
await load();

type Answer = (value: number) => Promise<{ readonly rows: unknown; readonly count?: number }>;

/** In the order of the usual requests. */
const answers: readonly Answer[] = [
  async (year) => ({
    rows: await filmRows
      .find({ year: { $lte: year } }, { sort: { year: -1, _id: -1 }, limit: 50 })
      .project({ _id: 0, id: '$_id', title: 1, year: 1, rating: 1 })
      .toArray(),
  }),
  async (from) => {
    const found = await filmsFrom(from, { title: 1, director_id: 1 });
    const [directors, played] = await Promise.all([
      byId(found.map((film) => film['director_id'] as number)),
      roleRows
        .find({ film_id: { $in: found.map(({ _id }) => _id) } })
        .project({ _id: 0, film_id: 1, person_id: 1, character: 1 })
        .toArray(),
    ]);
    const persons = await byId(played.map((role) => role['person_id'] as number));
    const rolesOf = groupBy(played, (role) => role['film_id'] as number);
    const rows = found.map((film) => ({
      id: film._id,
      title: film['title'] as string,
      director: { name: directors.get(film['director_id'] as number)?.['name'] as string },
      roles: (rolesOf.get(film._id) ?? []).map((role) => ({
        character: role['character'] as string,
        person: { name: persons.get(role['person_id'] as number)?.['name'] as string },
      })),
    }));
    return { rows };
  },
  async (from) => {
    const found = await filmsFrom(from, { title: 1 });
    const played = await roleRows
      .find({ film_id: { $in: found.map(({ _id }) => _id) } })
      .project({ _id: 0, film_id: 1, person_id: 1 })
      .toArray();
    const persons = await byId(played.map((role) => role['person_id'] as number));
    const rolesOf = groupBy(played, (role) => role['film_id'] as number);
    const rows = found.map((film) => ({
      id: film._id,
      title: film['title'] as string,
      cast: (rolesOf.get(film._id) ?? [])
        .flatMap((role) => persons.get(role['person_id'] as number) ?? [])
        .sort((a, b) => (a['name'] < b['name'] ? -1 : a['name'] > b['name'] ? 1 : a._id - b._id))
        .slice(0, 2)
        .map((person) => ({ name: person['name'] as string })),
    }));
    return { rows };
  },
  async (year) => {
    const [rows, count] = await Promise.all([
      filmRows
        .find({ year }, { sort: { _id: 1 }, limit: 10 })
        .project({ _id: 0, id: '$_id', title: 1 })
        .toArray(),
      filmRows.countDocuments({ year }),
    ]);
    return { rows, count };
  },
];

const app = fastify();
for (const [at, answer] of answers.entries()) {
  app.get<{ Params: { value: string } }>(`/${at}/:value`, async (request, reply) => {
    const { rows, count } = await answer(Number(request.params.value));
    if (count !== undefined) reply.header('content-range', `*/${count}`);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(rows));
  });
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);

function filmsFrom(id: number, shown: Readonly<Record<string, 1>>): Promise<Row[]> {
  return filmRows
    .find({ _id: { $gte: id } }, { sort: { _id: 1 }, limit: 20 })
    .project<Row>(shown)
    .toArray();
}

async function byId(ids: readonly number[]): Promise<Map<number, Row>> {
  const found = await personRows
    .find({ _id: { $in: [...new Set(ids)] } })
    .project<Row>({ name: 1 })
    .toArray();
  return new Map(found.map((person) => [person._id, person]));
}

async function load(): Promise<void> {
  if ((await filmRows.findOne()) !== null) return;
  const withId = (row: { readonly id: number }): Row => {
    const { id, ...rest } = row;
    return { _id: id, ...rest };
  };
  await insert(filmRows, films().map(withId));
  await insert(personRows, people().map(withId));
  await insert(roleRows as unknown as Collection<Row>, [...roles()] as unknown as Row[]);
  await filmRows.createIndex({ year: 1, _id: 1 });
  await roleRows.createIndex({ film_id: 1 });
}

async function insert(collection: Collection<Row>, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 10_000) {
    await collection.insertMany(rows.slice(at, at + 10_000), { ordered: false });
  }
}

function groupBy(rows: readonly Document[], keyOf: (row: Document) => number): Map<number, Document[]> {
  const groups = new Map<number, Document[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
