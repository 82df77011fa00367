/** Deletes the selected rows, each by its key. */
import { Button } from '@mantine/core';
import { Confirm, useTexts } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import type { Row } from '../table/grid.js';
import type { Table } from '../tables.js';
import { texts } from '../texts/index.js';
import { undoDelete } from './undo.js';
import type { OfferUndo } from './use-undo.js';

interface DeleteRowsProps {
  readonly table: Table;
  /** The table's path. */
  readonly path: string;
  /** Filters of keys: `id=eq.1`. */
  readonly keys: ReadonlySet<string>;
  readonly offer: OfferUndo;
  onDone(): void;
}

export function DeleteRows({ table, path, keys, offer, onDone }: DeleteRowsProps): ReactNode {
  const t = useTexts(texts);
  const [asking, setAsking] = useState(false);
  const request = {
    method: 'DELETE',
    path: `${path}?${anyOf([...keys])}`,
    headers: { prefer: 'return=representation' },
    exact: true,
  } as const;
  return (
    <>
      <Button variant="default" color="red" onClick={() => setAsking(true)}>
        {t.deleteRows(keys.size)}
      </Button>
      <Confirm<Row[]>
        title={t.deleteQuestion(keys.size)}
        action={t.deleteRows(keys.size)}
        request={asking ? request : undefined}
        changes={[path]}
        done={(rows) =>
          rows.length === 0 ? t.nothingChanged : offer(t.deleted(rows.length), undoDelete(table, path, rows))
        }
        onDone={onDone}
        onClose={() => setAsking(false)}
      >
        {t.deleteHint}
      </Confirm>
    </>
  );
}

/** `or=(and(film_id.eq.1,actor_id.eq.2),...)` */
function anyOf(keys: readonly string[]): string {
  const rows = keys.map((key) => {
    const columns = Array.from(new URLSearchParams(key), ([column, filter]) => {
      const [operator = '', ...value] = filter.split('.');
      return `${column}.${operator}.${quoted(value.join('.'))}`;
    });
    return `and(${columns.join(',')})`;
  });
  return `or=${encodeURIComponent(`(${rows.join(',')})`)}`;
}

/** In a list of conditions, unquoted commas, dots and brackets would be read as syntax. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
