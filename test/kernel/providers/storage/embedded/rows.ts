/** The collection that writers fill until they are killed. */
export const ROWS = {
  name: 'rows',
  indexes: [{ keys: { writer: 1, n: -1 } }, { keys: { tags: 1 } }, { keys: { key: 1 }, unique: true }],
} as const;
