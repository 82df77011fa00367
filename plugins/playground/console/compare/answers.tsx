/** The answers of a run: a row for each example, a column for each version with each model. */
import { Badge, Code, Group, Modal, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { useTexts } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { dollars, type Answer, type Run } from './api.js';
import classes from './compare.module.css';

export function Answers({ run: { answers, summary } }: { run: Run }): ReactNode {
  const t = useTexts(texts);
  const [open, setOpen] = useState<Answer | undefined>();
  const pairs = summary.map(({ version, model }) => ({ version, model }));
  const examples = [...new Map(answers.map(({ example, variables }) => [example, variables]))];
  const at = new Map(answers.map((one) => [`${one.example} ${one.version} ${one.model}`, one]));
  return (
    <>
      <Paper withBorder className={classes['frame']!} tabIndex={0} role="region" aria-label={t.answers}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={t.answers} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" className={classes['title']!}>
                {t.exampleTitle}
              </Table.Th>
              {pairs.map(({ version, model }) => (
                <Table.Th key={`${version} ${model}`} scope="col" className={classes['title']!}>
                  {t.versionOf(version, model)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {examples.map(([example, variables]) => (
              <Table.Tr key={example} className={classes['answers']!}>
                <Table.Td>
                  <Text size="sm" lineClamp={3}>
                    {Object.values(variables).join(' · ') || t.example(example + 1)}
                  </Text>
                </Table.Td>
                {pairs.map(({ version, model }) => {
                  const answer = at.get(`${example} ${version} ${model}`);
                  return (
                    <Table.Td key={`${version} ${model}`}>
                      {answer !== undefined && (
                        <UnstyledButton w="100%" onClick={() => setOpen(answer)}>
                          <Verdict answer={answer} />
                          <Text size="sm" lineClamp={3}>
                            {answer.error?.message ?? answer.text}
                          </Text>
                        </UnstyledButton>
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Modal
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === undefined ? '' : t.versionOf(open.version, open.model)}
        size="lg"
        closeButtonProps={{ 'aria-label': t.close }}
      >
        {open !== undefined && <Whole answer={open} />}
      </Modal>
    </>
  );
}

function Verdict({ answer: { error, passed } }: { answer: Answer }): ReactNode {
  const t = useTexts(texts);
  if (error !== null) return <Badge color="red">{t.failedCall}</Badge>;
  if (passed === null) return null;
  return <Badge color={passed ? 'green' : 'red'}>{passed ? t.pass : t.fail}</Badge>;
}

function Whole({ answer }: { answer: Answer }): ReactNode {
  const t = useTexts(texts);
  return (
    <Stack gap="sm">
      {Object.entries(answer.variables).map(([name, value]) => (
        <Text key={name} size="sm" c="dimmed" lineClamp={3}>
          {name}: {value}
        </Text>
      ))}
      {answer.error === null ? (
        <Text size="sm" className={classes['text']!}>
          {answer.text}
          {answer.cut && ' …'}
        </Text>
      ) : (
        <Text size="sm">
          {answer.error.message} <Code>{answer.error.code}</Code>
        </Text>
      )}
      {answer.checks.map(({ kind, passed, reason }, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
          <Badge color={passed === null ? 'gray' : passed ? 'green' : 'red'}>
            {passed === null ? t.noVerdict : passed ? t.pass : t.fail}
          </Badge>
          <Text size="sm">
            {kind === 'contains' ? t.contains : kind === 'judge' ? t.judged : t.fitsSchema}: {reason}
          </Text>
        </Group>
      ))}
      <Text size="xs" c="dimmed" className={classes['figure']!}>
        {answer.ms.toLocaleString()} ms · {answer.tokens_in.toLocaleString()} /{' '}
        {answer.tokens_out.toLocaleString()} {t.tokens} · {dollars(answer.cost)}
      </Text>
    </Stack>
  );
}
