/** Activity: feeds as others see them, a way to publish, and the directory that says who sees what. */
import { SegmentedControl } from '@mantine/core';
import { Page, reactPage, useConsole, useTexts, useUrlState } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Directory } from './parts/directory.js';
import { Feeds } from './parts/feeds.js';
import { texts } from './texts/index.js';

export const mount = reactPage(EventsPage);

function EventsPage(): ReactNode {
  const t = useTexts(texts);
  const { navigate, page } = useConsole();
  const [{ view }] = useUrlState({ view: 'feeds' });
  return (
    <Page
      title={t.events}
      summary={t.eventsSummary}
      actions={
        <SegmentedControl
          aria-label={t.view}
          value={view}
          // The filters of one view mean nothing to another.
          onChange={(next) => navigate(`/${page.plugin}/${page.id}?view=${next}`)}
          data={[
            { value: 'feeds', label: t.feeds },
            { value: 'directory', label: t.directory },
          ]}
        />
      }
    >
      {view === 'directory' ? <Directory /> : <Feeds />}
    </Page>
  );
}
