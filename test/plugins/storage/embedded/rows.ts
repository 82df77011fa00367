/** The collection that writers fill until they are killed. */
export const ROWS = {
  name: 'rows',
  indexes: [{ keys: { writer: 1, n: -1 } }, { keys: { tags: 1 } }, { keys: { key: 1 }, unique: true }],
} as const;

/** The same with indexes that are built over what is there. */
export const INDEXED = {
  name: 'rows',
  indexes: [
    ...ROWS.indexes,
    { keys: { text: 1 } },
    { keys: { text: -1, n: 1 } },
    { keys: { n: 1 }, unique: true },
  ],
} as const;
