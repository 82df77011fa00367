/** Splits a CSV file into records; the server parses them. */

export interface Csv {
  /** The header line. */
  readonly head: string;
  readonly records: readonly string[];
}

/** RFC 4180: a record ends at a line end outside of quotes. */
export function parseCsv(text: string): Csv {
  const records: string[] = [];
  let [start, quoted] = [0, false];
  const source = text.replace(/^\uFEFF/, '');
  for (let at = 0; at <= source.length; at += 1) {
    const character = source[at];
    if (character === '"') quoted = !quoted;
    if ((character === '\n' && !quoted) || at === source.length) {
      const record = source.slice(start, at).replace(/\r$/, '');
      if (record !== '') records.push(record);
      start = at + 1;
    }
  }
  const [head = '', ...rows] = records;
  return { head, records: rows };
}

/** As many records as one request may write, by number and length. */
export function* batchesOf(
  { head, records }: Csv,
  most = { records: 500, characters: 500_000 },
): Generator<{
  readonly body: string;
  /** Number of records. */
  readonly count: number;
}> {
  let [lines, length] = [[] as string[], 0];
  for (const record of records) {
    if (lines.length === most.records || (lines.length > 0 && length + record.length > most.characters)) {
      yield { body: [head, ...lines].join('\n'), count: lines.length };
      [lines, length] = [[], 0];
    }
    lines.push(record);
    length += record.length + 1;
  }
  if (lines.length > 0) yield { body: [head, ...lines].join('\n'), count: lines.length };
}
