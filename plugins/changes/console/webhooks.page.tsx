/** Webhooks: endpoints and their deliveries. */
import { Page, reactPage, useTexts, useUrlState, Views } from 'plugboard/console';
import type { ReactNode } from 'react';
import { Deliveries } from './parts/deliveries.js';
import { Endpoints } from './parts/endpoints.js';
import { texts } from './texts/index.js';

export const mount = reactPage(WebhooksPage);

function WebhooksPage(): ReactNode {
  const t = useTexts(texts);
  const [{ view }] = useUrlState({ view: 'endpoints' });
  return (
    <Page
      title={t.webhooks}
      summary={t.webhooksSummary}
      actions={
        <Views label={t.view} value={view} views={{ endpoints: t.endpoints, deliveries: t.deliveries }} />
      }
    >
      {view === 'deliveries' ? <Deliveries /> : <Endpoints />}
    </Page>
  );
}
