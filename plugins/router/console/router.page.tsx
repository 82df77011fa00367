/** Upstreams and their health, usage added up, and calls one by one. */
import { SegmentedControl } from '@mantine/core';
import { Page, reactPage, useConsole, useTexts, useUrlState } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Calls } from './parts/calls.js';
import { Upstreams } from './parts/upstreams.js';
import { Usage } from './parts/usage.js';
import { texts } from './texts/index.js';

export const mount = reactPage(RouterPage);

function RouterPage(): ReactNode {
  const t = useTexts(texts);
  const { navigate, page } = useConsole();
  const [{ view }] = useUrlState({ view: 'upstreams' });
  return (
    <Page
      title={t.router}
      summary={t.routerSummary}
      actions={
        <SegmentedControl
          aria-label={t.view}
          value={view}
          // The filters of one view mean nothing to another.
          onChange={(next) => navigate(`/${page.plugin}/${page.id}?view=${next}`)}
          data={[
            { value: 'upstreams', label: t.upstreams },
            { value: 'usage', label: t.usage },
            { value: 'calls', label: t.calls },
          ]}
        />
      }
    >
      {view === 'usage' ? <Usage /> : view === 'calls' ? <Calls /> : <Upstreams />}
    </Page>
  );
}
