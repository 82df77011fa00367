/** The rows of a level that pass its conditions, within a window, once lookups are done: `RowAccess`. */
import type { Level } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';
import type { RowAccess } from '../access/access.js';
import type { ReadContext } from '../context.js';
import { scanRows, type Scan } from '../scan.js';
import { rowsAlongEmbed } from './along-embed.js';
import { followEmbeds } from './embed.js';
import { keyRange } from './key-range.js';
import { orderRows } from './order.js';

export async function rowsOf(
  context: ReadContext,
  level: Level,
  access: RowAccess,
  scan: Scan,
): Promise<StoredRow[]> {
  switch (access.kind) {
    case 'scan':
    case 'stream':
      return scanRows(context, scan);
    case 'key-range':
      return (await keyRange(context, access, scan)) ?? rowsOf(context, level, access.otherwise, scan);
    case 'along-embed':
      return (
        (await rowsAlongEmbed(context, level, access, scan)) ?? rowsOf(context, level, access.otherwise, scan)
      );
    case 'sort-by-embeds': {
      const all = await scanRows(context, { ...scan, order: [], skip: 0, limit: undefined });
      const end = scan.limit === undefined ? undefined : scan.skip + scan.limit;
      const ordered = await orderRows(context.budget, level, all, followEmbeds(context), end);
      return ordered.slice(scan.skip, end);
    }
  }
}
