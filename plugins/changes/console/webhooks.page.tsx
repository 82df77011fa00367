/** Webhooks: endpoints that are told of changes, and what was delivered to them. */
import { SegmentedControl } from '@mantine/core';
import { Page, reactPage, useConsole, useTexts, useUrlState } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Deliveries } from './parts/deliveries.js';
import { Endpoints } from './parts/endpoints.js';
import { texts } from './texts/index.js';

export const mount = reactPage(WebhooksPage);

function WebhooksPage(): ReactNode {
  const t = useTexts(texts);
  const { navigate, page } = useConsole();
  const [{ view }] = useUrlState({ view: 'endpoints' });
  return (
    <Page
      title={t.webhooks}
      summary={t.webhooksSummary}
      actions={
        <SegmentedControl
          aria-label={t.view}
          value={view}
          // The filters of one view mean nothing to another.
          onChange={(next) => navigate(`/${page.plugin}/${page.id}?view=${next}`)}
          data={[
            { value: 'endpoints', label: t.endpoints },
            { value: 'deliveries', label: t.deliveries },
          ]}
        />
      }
    >
      {view === 'deliveries' ? <Deliveries /> : <Endpoints />}
    </Page>
  );
}
