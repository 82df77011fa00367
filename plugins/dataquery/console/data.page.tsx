/** Tables as a grid: related rows, filters, order; create, change, delete and import rows. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { UploadIcon } from '@radix-ui/react-icons';
import {
  Empty,
  Failed,
  Loading,
  NoMatch,
  Page,
  reactPage,
  RequestToCopy,
  useConsole,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import { useMemo, useState, type ReactNode } from 'react';
import { ImportDialog } from './import/import-dialog.js';
import { Count } from './query/count.js';
import { FilterBar } from './query/filter-bar.js';
import { PAGE, pathOf, readRequest } from './query/request.js';
import { DeleteRows } from './rows/delete-rows.js';
import { RowForm } from './rows/row-form.js';
import { useUndo } from './rows/use-undo.js';
import { Grid, type Row } from './table/grid.js';
import { TableList } from './table/table-list.js';
import classes from './table/table-list.module.css';
import { tablesOf, type Description, type Table } from './tables.js';
import { texts } from './texts/index.js';

export const mount = reactPage(DataPage);

function DataPage(): ReactNode {
  const t = useTexts(texts);
  const { page } = useConsole();
  const description = useRead<Description>({ path: `${page.prefix}/` });
  const tables = useMemo(
    () => (description.data === undefined ? undefined : tablesOf(description.data)),
    [description.data],
  );
  if (tables !== undefined && tables.length > 0) return <Tables tables={tables} />;
  return (
    <Page title={t.data} summary={t.dataSummary}>
      {tables !== undefined ? (
        <Empty title={t.noTables} action={<RequestToCopy request={{ path: `${page.prefix}/` }} />}>
          {t.noTablesHint}
        </Empty>
      ) : description.error === null ? (
        <Loading />
      ) : (
        <Failed error={description.error} retry={description.refetch} />
      )}
    </Page>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

function Tables({ tables }: { tables: readonly Table[] }): ReactNode {
  const t = useTexts(texts);
  const { page, person } = useConsole();
  const [{ table: name, filter, order, at }, setState] = useUrlState({
    table: '',
    filter: '',
    order: '',
    at: '',
  });
  const table = tables.find((one) => one.name === name) ?? tables[0]!;
  const path = pathOf(page.prefix, table);
  const offset = Math.max(0, Number.parseInt(at, 10) || 0);
  const request = readRequest(page.prefix, table, tables, { filter, order, offset });
  const read = useRead<Row[]>(request);
  const [selected, setSelected] = useState(NOTHING);
  const [open, setOpen] = useState<'import' | { readonly row?: Row; readonly column?: string }>();
  const offer = useUndo();
  const mayWrite = person.access !== 'viewer';

  const go = (changes: Parameters<typeof setState>[0]): void => {
    setSelected(NOTHING);
    setState({ at: '', ...changes });
  };
  const rows = read.data?.slice(0, PAGE);
  const insert = mayWrite && <Button onClick={() => setOpen({})}>{t.insert}</Button>;
  const moveTo = (to: number): void => go({ at: to === 0 ? '' : String(to) });
  return (
    <Page
      title={t.data}
      summary={t.dataSummary}
      actions={
        mayWrite && (
          <>
            {selected.size > 0 && (
              <DeleteRows
                table={table}
                path={path}
                keys={selected}
                offer={offer}
                onDone={() => setSelected(NOTHING)}
              />
            )}
            <Button variant="default" leftSection={<UploadIcon />} onClick={() => setOpen('import')}>
              {t.importCsv}
            </Button>
            {insert}
          </>
        )
      }
    >
      <div className={classes['layout']}>
        <TableList
          tables={tables}
          shown={table.name}
          onOpen={(next) => go({ table: next, filter: '', order: '' })}
        />
        <Stack>
          <FilterBar table={table} text={filter} onChange={(next) => go({ filter: next })} />
          {table.key.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.noKey}
            </Text>
          )}
          {read.error !== null ? (
            <Failed error={read.error} retry={read.refetch} />
          ) : rows === undefined ? (
            <Loading />
          ) : rows.length > 0 ? (
            <Stack gap="sm">
              <Grid
                table={table}
                rows={rows}
                order={order}
                selected={selected}
                onOrder={(next) => go({ order: next })}
                onSelect={setSelected}
                onEdit={(row, column) => setOpen({ row, column })}
                onFollow={(target, found) => go({ table: target, filter: found, order: '' })}
              />
              <Group justify="space-between">
                <Group gap="md">
                  <Text size="sm" c="dimmed" role="status">
                    {t.rows(offset + 1, offset + rows.length)}
                  </Text>
                  <Count path={path} filter={filter} />
                </Group>
                <Group gap="xs">
                  <Button
                    variant="default"
                    size="xs"
                    disabled={offset === 0}
                    onClick={() => moveTo(Math.max(0, offset - PAGE))}
                  >
                    {t.previous}
                  </Button>
                  <Button
                    variant="default"
                    size="xs"
                    disabled={(read.data?.length ?? 0) <= PAGE}
                    onClick={() => moveTo(offset + PAGE)}
                  >
                    {t.next}
                  </Button>
                </Group>
              </Group>
            </Stack>
          ) : filter !== '' || offset > 0 ? (
            <NoMatch />
          ) : (
            <Empty title={t.noRows(table.name)} action={insert}>
              {t.noRowsHint}
            </Empty>
          )}
          <RequestToCopy request={request} />
        </Stack>
      </div>
      {open === 'import' && <ImportDialog table={table} path={path} onClose={() => setOpen(undefined)} />}
      {typeof open === 'object' && (
        <RowForm
          table={table}
          path={path}
          row={open.row}
          column={open.column}
          offer={offer}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  );
}
