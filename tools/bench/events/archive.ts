/** Archives of made-up events in the form of the public ones: one JSON object a line, in gzip. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface ArchiveShape {
  readonly events: number;
  /** Accounts, and as many repositories; a tenth as many organizations. */
  readonly accounts: number;
  /** Commits in a push, which is what makes records large. */
  readonly commits: number;
  /** The time of the first event; one follows each `step` ms. */
  readonly from: number;
  readonly step: number;
}

export async function writeArchive(path: string, shape: ArchiveShape): Promise<void> {
  await pipeline(Readable.from(chunks(shape)), createGzip({ level: 6 }), createWriteStream(path));
}

/** Many lines at a time: a write for each would be most of the time. */
function* chunks(shape: ArchiveShape): Generator<string> {
  let text = '';
  for (let at = 0; at < shape.events; at += 1) {
    text += `${JSON.stringify(record(at, shape))}\n`;
    if (text.length < 1_000_000) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** The accounts are drawn evenly, and not in turn: an index is written to all over. */
export function drawn(at: number, salt: number, most: number): number {
  let x = (Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d) >>> 0;
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b) >>> 0;
  return ((x ^ (x >>> 16)) >>> 0) % most;
}

function record(at: number, { accounts, commits, from, step }: ArchiveShape): object {
  const actor = drawn(at, 1, accounts);
  const repo = drawn(at, 2, accounts);
  const organizations = Math.max(1, Math.floor(accounts / 10));
  const login = `user-${actor}`;
  const name = `user-${repo}/project-${repo}`;
  return {
    id: String(20_000_000_000 + at),
    type: 'PushEvent',
    actor: {
      id: 1_000_000 + actor,
      login,
      display_login: login,
      gravatar_id: '',
      url: `https://api.example.org/users/${login}`,
      avatar_url: `https://avatars.example.org/u/${actor}?`,
    },
    repo: { id: 2_000_000 + repo, name, url: `https://api.example.org/repos/${name}` },
    payload: {
      push_id: 5_000_000_000 + at,
      size: commits,
      distinct_size: commits,
      ref: 'refs/heads/main',
      head: sha(at, 'head'),
      before: sha(at, 'before'),
      commits: Array.from({ length: commits }, (_, n) => commit(at, n, login, name)),
    },
    public: true,
    created_at: `${new Date(from + at * step).toISOString().slice(0, 19)}Z`,
    ...(repo % 3 === 0 ? { org: organization(repo % organizations) } : {}),
  };
}

function organization(id: number): object {
  const login = `org-${id}`;
  return {
    id: 3_000_000 + id,
    login,
    gravatar_id: '',
    url: `https://api.example.org/orgs/${login}`,
    avatar_url: `https://avatars.example.org/u/${3_000_000 + id}?`,
  };
}

function commit(at: number, n: number, login: string, name: string): object {
  const id = sha(at, `commit ${n}`);
  return {
    sha: id,
    author: { email: `${id.slice(8, 28)}@example.org`, name: login },
    message: `Change ${at}.${n}: the ${['parser', 'index', 'page', 'reader'][(at + n) % 4]} takes "quoted" names\n\nAnd a second line, with its reason: ${id.slice(0, 12)}.`,
    distinct: true,
    url: `https://api.example.org/repos/${name}/commits/${id}`,
  };
}

function sha(at: number, salt: string): string {
  return createHash('sha1').update(`${at} ${salt}`).digest('hex');
}
