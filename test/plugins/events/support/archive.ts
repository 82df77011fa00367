/** Archives in the form in which public ones come: one record a line, in gzip. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** A record as an archive has it: whole addresses, and `gravatar_id` where a feed says `image_id`. */
export function archived(at: number, more: object = {}): object {
  const actor = 5_000 + (at % 17);
  const repo = 9_000 + (at % 23);
  return {
    id: String(10_000_000 + at),
    type: 'PushEvent',
    actor: {
      id: actor,
      login: `actor-${actor}`,
      display_login: `actor-${actor}`,
      gravatar_id: '',
      url: `https://api.example.org/users/actor-${actor}`,
      avatar_url: `https://avatars.example.org/u/${actor}?`,
    },
    repo: { id: repo, name: `owner/repo-${repo}`, url: `https://api.example.org/repos/owner/repo-${repo}` },
    payload: {
      push_id: at,
      size: 1,
      ref: 'refs/heads/main',
      commits: [{ message: `Change ${at}`, distinct: true }],
    },
    public: true,
    created_at: new Date(Date.now() - 86_400_000 + at * 10).toISOString(),
    ...more,
  };
}

/** Records become lines; texts are lines as they are. */
export function writeArchive(path: string, lines: readonly (object | string)[]): void {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(text, { level: 1 }) : text);
}
