/** Imports a CSV file, some hundred rows per request, and shows the progress. */
import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { ApiError, describe, queries, useConsole, useTexts } from 'plugboard/console';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Table } from '../tables.js';
import { batchesOf, parseCsv } from './csv.js';

interface ImportDialogProps {
  readonly table: Table;
  readonly path: string;
  onClose(): void;
}

interface Run {
  readonly done: number;
  readonly total: number;
  readonly error?: unknown;
}

export function ImportDialog({ table, path, onClose }: ImportDialogProps): ReactNode {
  const t = useTexts(texts);
  const { fetch, notify } = useConsole();
  const [file, setFile] = useState<File | null>(null);
  const [run, setRun] = useState<Run>();
  const [busy, setBusy] = useState(false);
  const closed = useRef(false);
  useEffect(() => () => void (closed.current = true), []);

  const start = async (chosen: File): Promise<void> => {
    const csv = parseCsv(await chosen.text());
    const total = csv.records.length;
    let done = 0;
    setRun({ done, total });
    for (const { body, count } of batchesOf(csv)) {
      if (closed.current) return;
      const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
      if (!answer.ok) throw Object.assign(await errorOf(answer), { done, total });
      done += count;
      setRun({ done, total });
    }
    if (total === 0) return;
    notify({ message: t.imported(done) });
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file === null) return;
    setBusy(true);
    start(file)
      .catch((error: unknown) => setRun((before) => ({ done: 0, total: 0, ...before, error })))
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ predicate: ({ queryKey: [, at] }) => String(at).startsWith(path) });
      });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.importing(table.name)}
      closeButtonProps={{ 'aria-label': t.cancel }}
    >
      <form onSubmit={submit}>
        <Stack>
          <FileInput
            label={t.file}
            description={t.importHint}
            placeholder={t.chooseFile}
            accept=".csv,text/csv"
            value={file}
            onChange={setFile}
            disabled={busy}
          />
          {run !== undefined && run.total > 0 && (
            <Stack gap={4}>
              <Progress value={(run.done / run.total) * 100} aria-label={t.importing(table.name)} />
              <Text size="sm" role="status">
                {t.importProgress(run.done, run.total)}
              </Text>
            </Stack>
          )}
          {run !== undefined && run.total === 0 && !busy && run.error === undefined && (
            <Alert color="yellow" variant="light" role="alert">
              {t.noRowsInFile}
            </Alert>
          )}
          {run?.error !== undefined && (
            <Alert color="red" variant="light" role="alert" title={t.importStopped(run.done + 1)}>
              {describe(run.error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={busy} disabled={file === null}>
              {t.importRows}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

async function errorOf(answer: Response): Promise<ApiError> {
  const said = (await answer.json().catch(() => ({}))) as {
    message?: string;
    code?: string;
    details?: string | null;
  };
  const message = [said.message ?? answer.statusText, said.details].filter(Boolean).join(': ');
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  return new ApiError(message, { status: answer.status, code: said.code, member: undefined, requestId });
}
