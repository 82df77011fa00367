/** The SQLite inside of Node, which nothing has to be installed or built for. */

/** What is used of `node:sqlite`, which the types of Node 20 lack. */
interface Sqlite {
  readonly DatabaseSync: new (path: string) => Database;
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
interface Statement {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): { readonly doc: string } | undefined;
  all(...values: unknown[]): readonly { readonly doc: string }[];
}

export async function openSqlite(path: string): Promise<Database> {
  try {
    const { DatabaseSync } = (await import('node:sqlite' as string)) as Sqlite;
    return new DatabaseSync(path);
  } catch (cause) {
    throw new Error('SQLite is part of Node 22.13 and later: npx -y -p node@24 npm run bench -- NAME', {
      cause,
    });
  }
}
