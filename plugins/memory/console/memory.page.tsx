/** Browse memories, and preview what a question would recall. */
import { Button, SegmentedControl } from '@mantine/core';
import { CopyRequest, Page, reactPage, useConsole, useTexts, useUrlState } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { Browse } from './parts/browse.js';
import { Extractions } from './parts/extractions.js';
import { EntryForm } from './parts/entry-form.js';
import type { Entry } from './parts/entry.js';
import { Preview } from './parts/preview.js';
import { texts } from './texts/index.js';

export const mount = reactPage(MemoryPage);

function MemoryPage(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const [{ view }, setState] = useUrlState({ view: 'browse' });
  const [open, setOpen] = useState<{ readonly entry?: Entry }>();
  return (
    <Page
      title={t.memory}
      summary={t.memorySummary}
      actions={
        <>
          <SegmentedControl
            aria-label={t.view}
            value={view}
            onChange={(next) => setState({ view: next })}
            data={[
              { value: 'browse', label: t.browse },
              { value: 'preview', label: t.preview },
              { value: 'extractions', label: t.extractions },
            ]}
          />
          {view === 'browse' && <CopyRequest request={{ path: '/api/memory' }} />}
          {person.access !== 'viewer' && <Button onClick={() => setOpen({})}>{t.remember}</Button>}
        </>
      }
    >
      {view === 'preview' && <Preview />}
      {view === 'extractions' && <Extractions />}
      {view === 'browse' && (
        <Browse
          onOpen={(entry) => person.access !== 'viewer' && setOpen({ entry })}
          onNew={() => setOpen({})}
        />
      )}
      {open !== undefined && <EntryForm entry={open.entry} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
