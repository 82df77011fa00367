/** All that is known of one call. */
import { Badge, Drawer, Stack, Table } from '@mantine/core';
import { Ago, useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { Call } from './call.js';
import { CallTexts } from './call-texts.js';
import { dollars, milliseconds } from './figures.js';

export interface CallDrawerProps {
  readonly call: Call | undefined;
  readonly keyName: string | undefined;
  onClose(): void;
}

export function CallDrawer({ call, keyName, onClose }: CallDrawerProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Drawer
      opened={call !== undefined}
      onClose={onClose}
      title={t.details}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {call !== undefined && (
        <Stack>
          <Members call={call} keyName={keyName} />
          <CallTexts key={`${call.at} ${call.key}`} call={call} />
        </Stack>
      )}
    </Drawer>
  );
}

/** What the call does not have is left out. */
function Members({ call, keyName }: { call: Call; keyName: string | undefined }): ReactNode {
  const t = useTexts(texts);
  const tokens = (told: number | null, estimated: number | null): string | null =>
    told === null && estimated !== null
      ? `${estimated.toLocaleString()} (${t.estimated})`
      : (told?.toLocaleString() ?? null);
  const members: readonly (readonly [string, ReactNode])[] = [
    [t.when, <Ago key="at" at={call.at} />],
    [
      t.status,
      <Badge key="status" color={call.status < 400 ? 'green' : 'red'}>
        {call.status}
      </Badge>,
    ],
    [t.errors, call.errorCode],
    [t.model, call.model],
    [t.route, call.route],
    [t.upstream, call.cached ? t.fromCache : call.upstream],
    [t.servedModel, call.servedModel],
    [t.key, keyName ?? call.key],
    [t.person, call.person],
    [t.tags, call.tags],
    [t.purpose, call.purpose],
    [t.streamed, call.stream ? t.yes : t.no],
    [t.tries, call.attempts],
    [t.firstToken, milliseconds(call.firstToken)],
    [t.latency, milliseconds(call.latency)],
    [t.tokensIn, tokens(call.tokensIn, call.estimatedIn)],
    [t.cached, tokens(call.tokensCached, null)],
    [t.cacheWritten, tokens(call.tokensCacheWritten, null)],
    [t.tokensOut, tokens(call.tokensOut, call.estimatedOut)],
    [t.reasoning, tokens(call.tokensReasoning, null)],
    [t.cost, call.cost === null ? t.unknown : dollars(call.cost)],
    [t.pricedAs, call.pricedAs],
  ];
  return (
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {members
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([title, value]) => (
            <Table.Tr key={title}>
              <Table.Th scope="row" w="45%">
                {title}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
