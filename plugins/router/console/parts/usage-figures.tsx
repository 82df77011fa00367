/** The figures under the chart, also for those who do not see it; each row leads to its calls. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { useTexts } from 'plugboard/console';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { dollars } from './figures.js';
import type { NamedSums, Sums } from './sums.js';
import classes from './usage.module.css';

export interface UsageFiguresProps {
  readonly data: readonly NamedSums[];
  readonly total: Sums;
  readonly label: string;
  /** The readable name of an id. */
  titleOf(name: string): string;
  /** Undefined if the list of calls has no such filter. */
  readonly onOpen: ((name: string) => void) | undefined;
}

export function UsageFigures({ data, total, label, titleOf, onOpen }: UsageFiguresProps): ReactNode {
  const t = useTexts(texts);
  return (
    <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.usage}>
      <Table aria-label={t.usage} verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={classes['title']!}>
              {label}
            </Table.Th>
            {[t.calls, t.errors, t.tokensIn, t.tokensOut, t.cost].map((title) => (
              <Table.Th key={title} scope="col" ta="right" className={classes['title']!}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(({ name, ...sums }) => (
            <Table.Tr key={name}>
              <Table.Td maw={320}>
                {onOpen === undefined ? (
                  <Text size="sm" truncate>
                    {titleOf(name)}
                  </Text>
                ) : (
                  <Anchor
                    component="button"
                    size="sm"
                    maw="100%"
                    truncate
                    title={t.showCalls(titleOf(name))}
                    onClick={() => onOpen(name)}
                  >
                    {titleOf(name)}
                  </Anchor>
                )}
              </Table.Td>
              <SumsCells sums={sums} />
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t.total}</Table.Th>
            <SumsCells sums={total} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Paper>
  );
}

/** Tokens that the upstream did not report are counted by the server, and said to be; so are calls without a price. */
function SumsCells({ sums }: { sums: Sums }): ReactNode {
  const t = useTexts(texts);
  const tokens = (told: number, estimated: number): string => {
    const sum = (told + estimated).toLocaleString();
    return estimated > 0 ? `${sum} (${t.estimated} ${estimated.toLocaleString()})` : sum;
  };
  return [
    sums.calls.toLocaleString(),
    sums.errors.toLocaleString(),
    tokens(sums.tokensIn, sums.estimatedIn),
    tokens(sums.tokensOut, sums.estimatedOut),
    sums.unpriced > 0 ? `${dollars(sums.cost)} (${t.unpriced(sums.unpriced)})` : dollars(sums.cost),
  ].map((text, at) => (
    <Table.Td key={at} ta="right" className={classes['figure']!}>
      {text}
    </Table.Td>
  ));
}
