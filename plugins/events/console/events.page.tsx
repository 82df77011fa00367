/** Activity: feeds as others see them, publishing, and the directory that decides who sees what. */
import { Page, reactPage, useTexts, useUrlState, Views } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Directory } from './parts/directory.js';
import { Feeds } from './parts/feeds.js';
import { texts } from './texts/index.js';

export const mount = reactPage(EventsPage);

function EventsPage(): ReactNode {
  const t = useTexts(texts);
  const [{ view }] = useUrlState({ view: 'feeds' });
  return (
    <Page
      title={t.events}
      summary={t.eventsSummary}
      actions={<Views label={t.view} value={view} views={{ feeds: t.feeds, directory: t.directory }} />}
    >
      {view === 'directory' ? <Directory /> : <Feeds />}
    </Page>
  );
}
