/**
 * Writes docs/errors.md from the tables of error codes: `node dist/tools/error-page.js`. A test compares the page
 * with the tables.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ERROR_ROWS, type ErrorRow } from '../kernel/sdk/http/errors.js';

const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/errors.md');

const INTRODUCTION = `# Errors

Every error that a client can see is in one of these tables. A plugin throws an error by its code; the *dialect* of its routes decides the shape on the wire, because the clients of each service expect another one:

| dialect  | body                                                        | used by                                            |
| -------- | ----------------------------------------------------------- | -------------------------------------------------- |
| \`openai\` | \`{ "error": { "message", "type", "code", "param" } }\`         | router, playground, memory, and the auth routes    |
| \`v2\`     | \`{ "error": { "code", "message", "type"?, "doc_url"?, ... } }\` | accounts                                           |
| \`github\` | \`{ "message", "errors"?, "documentation_url" }\`              | authorizations, events, ratelimit                  |
| \`svc\`    | \`{ "code", "message", "details", "hint" }\`                   | dataquery, and paths that belong to no plugin      |

Every answer carries \`x-request-id\`; an error of ours (500) says nothing else, and the log has the rest under that id. A \`503\` with \`retry-after\` is safe to try again.
`;

export async function errorPage(): Promise<string> {
  const sections: string[] = [];
  for (const { name, rows } of await errorTables()) {
    const lines = Object.entries(rows)
      .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      .map(([code, { status, when }]) => `| \`${code}\` | ${status} | ${when.replaceAll('|', '\\|')} |`);
    sections.push(`## ${name}\n\n| code | status | when |\n| --- | --- | --- |\n${lines.join('\n')}\n`);
  }
  return [INTRODUCTION, ...sections].join('\n');
}

/** The tables that modules named `errors` export, by folder. */
async function errorTables(): Promise<{ name: string; rows: Record<string, ErrorRow> }[]> {
  const tables = new Map<string, Record<string, ErrorRow>>();
  for (const folder of ['kernel', 'plugins']) {
    const files = readdirSync(join(root, 'dist', folder), { recursive: true, encoding: 'utf8' });
    for (const file of files
      .filter((name) => name.endsWith(`${sep}errors.js`) && !name.startsWith(`sdk${sep}`))
      .toSorted()) {
      const exports = (await import(pathToFileURL(join(root, 'dist', folder, file)).href)) as Record<
        string,
        unknown
      >;
      const rows = Object.values(exports).flatMap((value) =>
        typeof value === 'object' && value !== null && ERROR_ROWS in value
          ? [value[ERROR_ROWS] as Record<string, ErrorRow>]
          : [],
      );
      if (rows.length > 0)
        tables.set(
          ownerOf(join(folder, dirname(file))),
          Object.assign({}, ...rows) as Record<string, ErrorRow>,
        );
    }
  }
  return Array.from(tables, ([name, rows]) => ({ name, rows }));
}

/** `kernel/http` is the kernel, `plugins/memory` is memory. */
function ownerOf(folder: string): string {
  const [area, plugin = ''] = folder.split(sep);
  return area === 'plugins' ? plugin : 'The server itself';
}

const script = process.argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  const { format, resolveConfig } = await import('prettier');
  const text = await format(await errorPage(), { ...(await resolveConfig(page)), parser: 'markdown' });
  writeFileSync(page, text);
  console.log(`wrote ${relative(process.cwd(), page)}`);
}
