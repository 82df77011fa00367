/**
 * What a careful programmer gets from MongoDB's driver by hand: bare Fastify, a query for each level with the keys of the
 * one above, only the members that are shown. For what is asked one at a time it is what mongod itself needs, in the
 * quickest way that was found.
 */
import { fastify } from 'fastify';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { films, people, roles } from './cinema.js';
import { spelled } from './requests.js';

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

/** In the order of the requests. */
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
        // In the order of insertion.
        .find({ film_id: { $in: found.map(({ _id }) => _id) } }, { hint: { film_id: 1 } })
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
  (from) => pageOfFilms(from, 100, (films) => roleRows.distinct('film_id', { film_id: { $in: films } })),
  async (number) => {
    const persons = await idsOf(personRows, { name: `Person ${number}` });
    const played = await roleRows
      .find({ person_id: { $in: persons } })
      .project({ _id: 0, film_id: 1 })
      .toArray();
    const ids = [...new Set(played.map((role) => role['film_id'] as number))];
    return { rows: await shownFilms(ids) };
  },
  async (born) => {
    const persons = await idsOf(personRows, { born: { $gte: born } });
    const ids = (await roleRows.distinct('film_id', { person_id: { $in: persons } })) as number[];
    return { rows: await shownFilms(ids.sort((a, b) => a - b).slice(0, 20)), count: ids.length };
  },
  (from) =>
    pageWithout(from, (films) =>
      roleRows.distinct('film_id', { film_id: { $in: films }, person_id: { $lt: 5000 } }),
    ),
  (from) => pageWithout(from, (films) => roleRows.distinct('film_id', { film_id: { $in: films } })),
  async (film) => {
    const stages = [
      { $match: { film_id: { $gte: film } } },
      { $group: { _id: null, sum: { $sum: '$person_id' } } },
    ];
    const [all] = await roleRows.aggregate(stages).toArray();
    return { rows: [{ sum: all?.['sum'] as number }] };
  },
  async (year) => {
    const filter = { year: { $gte: year } };
    const [groups, first] = await Promise.all([
      filmRows.aggregate([{ $match: filter }, { $group: { _id: '$year', count: { $sum: 1 } } }]).toArray(),
      // Every year is among them.
      filmRows
        .find(filter, { sort: { _id: 1 }, limit: 1_000 })
        .project({ year: 1 })
        .toArray(),
    ]);
    const counts = new Map(groups.map((group) => [group['_id'] as number, group['count'] as number]));
    const years = [...new Set(first.map((row) => row['year'] as number))];
    return { rows: years.map((one) => ({ year: one, count: counts.get(one) })) };
  },
  (film) => countedRoles({ film_id: { $gte: film } }),
  (billing) => countedRoles({ billing: { $gte: billing } }),
  async (from) => {
    const found = await filmRows
      .find({ _id: { $gte: from } }, { sort: { _id: 1 }, limit: 1_000, batchSize: 1_001 })
      .project<Row>({ director_id: 1 })
      .toArray();
    return { rows: await withDirectors(found) };
  },
  async (year) => {
    const found = await filmRows
      .find({ year }, { batchSize: 1_001 })
      .project<Row>({ director_id: 1 })
      .toArray();
    return { rows: byDirector(await withDirectors(found)).slice(0, 20) };
  },
  async (offset) => {
    const rows: Shown[] = [];
    const batch = 100;
    for (let skip = 0; rows.length < offset + 20; skip += batch) {
      const directors = await personRows
        .find({}, { sort: { name: 1 }, skip, limit: batch })
        .project({ _id: 1 })
        .toArray();
      const found = await filmRows
        .find({ director_id: { $in: directors.map(({ _id }) => _id as unknown) } }, { batchSize: 1_001 })
        .project<Row>({ director_id: 1 })
        .toArray();
      rows.push(...byDirector(await withDirectors(found)));
    }
    return { rows: rows.slice(offset, offset + 20) };
  },
  (word) => searched({ words: spelled(word) }),
  (word) => searched({ words: { $all: [spelled(word), spelled(word + 1)] } }),
];

interface Shown {
  readonly id: number;
  readonly director: { readonly name: string };
}

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

/** The films of which some pass, in groups of so many. */
async function pageOfFilms(
  from: number,
  size: number,
  passing: (films: readonly number[]) => Promise<unknown[]>,
  isWanted = true,
): ReturnType<Answer> {
  const rows: unknown[] = [];
  for (let next = from, limit = size; rows.length < 20; limit = 1_000) {
    const found = await filmRows
      .find({ _id: { $gte: next } }, { sort: { _id: 1 }, limit, batchSize: limit + 1 })
      .project<Row>({ title: 1 })
      .toArray();
    const last = found.at(-1);
    if (last === undefined) break;
    const known = new Set(await passing(found.map(({ _id }) => _id)));
    for (const { _id: id, title } of found)
      if (known.has(id) === isWanted) rows.push({ id, title: title as string });
    next = last._id + 1;
  }
  return { rows: rows.slice(0, 20) };
}

function pageWithout(
  from: number,
  passing: (films: readonly number[]) => Promise<unknown[]>,
): ReturnType<Answer> {
  return pageOfFilms(from, 100, passing, false);
}

async function idsOf(rows: Collection<Row>, filter: Document): Promise<number[]> {
  const found = await rows.find(filter, { batchSize: 10_000 }).project({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id as number);
}

function shownFilms(ids: readonly number[]): Promise<Document[]> {
  return filmRows
    .find({ _id: { $in: ids } }, { sort: { _id: 1 }, limit: 20 })
    .project({ _id: 0, id: '$_id', title: 1 })
    .toArray();
}

async function countedRoles(filter: Document): ReturnType<Answer> {
  const [rows, count] = await Promise.all([
    roleRows
      .find(filter, { sort: { film_id: 1, person_id: 1 }, limit: 10 })
      .project({ _id: 0, film_id: 1, person_id: 1 })
      .toArray(),
    roleRows.countDocuments(filter),
  ]);
  return { rows, count };
}

async function withDirectors(found: readonly Row[]): Promise<Shown[]> {
  const directors = await byId(found.map((film) => film['director_id'] as number));
  return found.map((film) => ({
    id: film._id,
    director: { name: directors.get(film['director_id'] as number)?.['name'] as string },
  }));
}

function byDirector(rows: readonly Shown[]): Shown[] {
  return rows.toSorted((a, b) =>
    a.director.name < b.director.name ? -1 : a.director.name > b.director.name ? 1 : a.id - b.id,
  );
}

async function searched(filter: Document): ReturnType<Answer> {
  const rows = await filmRows
    .find(filter, { sort: { _id: 1 }, limit: 20 })
    .project({ _id: 0, id: '$_id', title: 1 })
    .toArray();
  return { rows };
}

async function byId(ids: readonly number[]): Promise<Map<number, Row>> {
  const found = await personRows
    .find({ _id: { $in: [...new Set(ids)] } }, { batchSize: 10_000 })
    .project<Row>({ name: 1 })
    .toArray();
  return new Map(found.map((person) => [person._id, person]));
}

async function load(): Promise<void> {
  if ((await filmRows.findOne({ words: { $exists: true } })) !== null) return;
  await database.dropDatabase();
  const withId = (row: { readonly id: number }): Row => {
    const { id, ...rest } = row;
    return { _id: id, ...rest };
  };
  await insert(
    filmRows,
    [...films()].map((film) => ({ ...withId(film), words: film.plot.split(' ') })),
  );
  await insert(personRows, people().map(withId));
  await insert(roleRows as unknown as Collection<Row>, [...roles()] as unknown as Row[]);
  await filmRows.createIndex({ year: 1, _id: 1 });
  await filmRows.createIndex({ director_id: 1 });
  await filmRows.createIndex({ words: 1, _id: 1 });
  await personRows.createIndex({ name: 1 });
  await roleRows.createIndex({ film_id: 1 });
  await roleRows.createIndex({ film_id: 1, person_id: 1 });
  await roleRows.createIndex({ person_id: 1 });
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
