/** The data API vs the same JSON made by SQL in PostgreSQL, over HTTP. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bench } from '../context.js';
import type { HttpSide } from '../load.js';
import type { Server } from '../server.js';
import { catalog, films, people, roles, scores } from './cinema.js';
import { startPostgres } from './postgres.js';
import { requests, type Request } from './requests.js';

const SQL = 'SQL by hand';
const PORT = 54_329;

interface Contestant {
  readonly name: string;
  readonly server: Server;
  path(request: Request, at: number, value: number): string;
}

export default async function run(bench: Bench): Promise<void> {
  const contestants = [...(await dataApis(bench)), await sqlByHand(bench)];
  const wanted = [...requests.entries()].filter(([, { name }]) => bench.wants(name));
  for (const [at, request] of wanted) {
    const sides = await checked(
      contestants.map((contestant) => sideOf(contestant, request, at)),
      request,
    );
    await bench.http({ what: request.name, sides, connections: request.connections, reference: SQL });
  }
}

async function dataApis(bench: Bench): Promise<Contestant[]> {
  const rows = {
    'public.people': people(),
    'public.films': films(),
    'public.roles': [...roles()],
    'public.scores': scores(),
  };
  await writeFile(join(bench.folder, 'rows.json'), JSON.stringify(rows));
  await writeFile(join(bench.folder, 'catalog.json'), JSON.stringify(catalog));
  const contestants: Contestant[] = [];
  for (const store of bench.stores()) {
    const config = {
      storage: store.config('dataquery'),
      plugins: {
        dataquery: {
          catalog: './catalog.json',
          rows: './rows.json',
          auth: 'none',
          aggregates: true,
          // A busy machine is slow, and its times count too.
          maxTime: 120_000,
        },
      },
    };
    const path = (request: Request, _: number, value: number): string => `/data${request.path(value)}`;
    const server = await bench.plugboard(`dataquery-${store.name}`, config);
    contestants.push({ name: `data API, ${store.name}`, server, path });
    const { before } = bench.options;
    if (before === undefined) continue;
    const earlier = { ...config, storage: store.config('dataquery-before') };
    contestants.push({
      name: `before, ${store.name}`,
      server: await bench.plugboard(`dataquery-before-${store.name}`, earlier, before),
      path,
    });
  }
  return contestants;
}

async function sqlByHand(bench: Bench): Promise<Contestant> {
  const postgres = await startPostgres(PORT);
  bench.onEnd(() => postgres.stop());
  const peer = await bench.start([join(import.meta.dirname, 'sql.js'), postgres.url]);
  const server = { ...peer, pids: [...peer.pids, postgres.pid] };
  return { name: SQL, server, path: (_, at, value) => `/${at}/${value}` };
}

function sideOf({ name, server, path }: Contestant, request: Request, at: number): HttpSide {
  return {
    name,
    server,
    call: (n) => ({
      path: encodeURI(path(request, at, request.value(n % 200))),
      // It says nothing, but no two requests are alike: no answer is one that was kept.
      headers: {
        ...request.headers,
        ...(request.method && { 'content-type': 'application/json' }),
        'range-unit': `n${n}`,
      },
      ...(request.method && { method: request.method }),
      ...(request.body && { body: request.body(request.value(n % 200)) }),
    }),
  };
}

/**
 * The sides with the status that they answer; throws unless all answer the same, as a benchmark of different answers
 * would be none.
 */
async function checked(sides: readonly HttpSide[], request: Request): Promise<HttpSide[]> {
  const answers: { readonly side: HttpSide; readonly body: unknown }[] = [];
  for (const side of sides) {
    const { path, ...call } = side.call(3);
    const response = await fetch(side.server.origin + path, call);
    if (!response.ok) throw new Error(`${side.name} ${path}: ${response.status} ${await response.text()}`);
    const total = request.headers && response.headers.get('content-range')?.split('/')[1];
    const text = await response.text();
    const body = { rows: text === '' ? undefined : (JSON.parse(text) as unknown), total };
    answers.push({ side: { ...side, status: response.status }, body });
  }
  const other = answers.find(({ body }) => !isDeepStrictEqual(body, answers[0]?.body));
  if (other !== undefined)
    throw new Error(`${request.name}: ${other.side.name} answers something else than ${sides[0]?.name}`);
  return answers.map(({ side }) => side);
}
