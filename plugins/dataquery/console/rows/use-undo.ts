/** Offers to undo a write: by a button in its notice, or by Ctrl+Z. */
import { useHotkeys } from '@mantine/hooks';
import { useConsole, useTexts, useWrite, type ApiRequest, type Notice } from 'plugboard/console';
import { useRef } from 'react';
import type { Row } from '../table/grid.js';
import { texts } from '../texts/index.js';

/** Undefined: it cannot be undone, which the notice says. */
export type OfferUndo = (message: string, undo: ApiRequest | undefined) => Notice;

export function useUndo(): OfferUndo {
  const t = useTexts(texts);
  const { page } = useConsole();
  const last = useRef<() => void>(undefined);
  useHotkeys([['mod+Z', () => last.current?.()]]);
  const write = useWrite<Row[]>({
    // Other tables may reference these.
    changes: [page.prefix],
    done: (rows) =>
      rows.length === 0 ? { kind: 'failed', title: t.notUndone, message: t.changedSince } : t.undone,
  });
  return (message, undo) => {
    last.current = undefined;
    if (undo === undefined) return { message: `${message}. ${t.noUndo}` };
    const run = (): void => {
      if (last.current === run) last.current = undefined;
      write.mutate({ ...undo, exact: true });
    };
    last.current = run;
    return { message, undo: run };
  };
}
