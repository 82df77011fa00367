/** Upstreams and their health, usage added up, and calls one by one. */
import { Page, reactPage, useTexts, useUrlState, Views } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Allowances } from './parts/allowances.js';
import { Calls } from './parts/calls.js';
import { Upstreams } from './parts/upstreams.js';
import { Usage } from './parts/usage.js';
import { texts } from './texts/index.js';

export const mount = reactPage(RouterPage);

function RouterPage(): ReactNode {
  const t = useTexts(texts);
  const [{ view }] = useUrlState({ view: 'upstreams' });
  return (
    <Page
      title={t.router}
      summary={t.routerSummary}
      actions={
        <Views
          label={t.view}
          value={view}
          views={{ upstreams: t.upstreams, usage: t.usage, calls: t.calls, allowances: t.allowances }}
        />
      }
    >
      {view === 'usage' ? (
        <Usage />
      ) : view === 'calls' ? (
        <Calls />
      ) : view === 'allowances' ? (
        <Allowances />
      ) : (
        <Upstreams />
      )}
    </Page>
  );
}
