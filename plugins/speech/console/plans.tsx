/** The seconds that each key may speak in a month, for those who manage the server. */
import { Button, Group, NumberInput, Paper, Stack, Table, Text } from '@mantine/core';
import { describe, RowButton, useConsole, useRead, useTexts, useWrite } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { KeySelect, useKeyName } from './keys.js';
import { texts } from './texts/index.js';

const PLANS = '/api/v1/plans';

interface Plan {
  readonly key: string;
  readonly seconds: number;
}

export function Plans(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const plans = useRead<{ plans: Plan[] }>({ path: PLANS });
  const [key, setKey] = useState<string | null>(null);
  const [seconds, setSeconds] = useState<number | string>('');
  const set = useWrite({ changes: [PLANS], done: () => t.planSet, quiet: true });
  // Members see no plans.
  if (plans.data === undefined) return null;
  const mayWrite = person.access === 'admin';
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="speech-plans">
      <Stack gap="sm">
        <Text fw={600} component="h2" size="md" id="speech-plans">
          {t.plans}
        </Text>
        <Text size="sm" c="dimmed">
          {t.plansHint}
        </Text>
        {plans.data.plans.length > 0 && (
          <Table aria-label={t.plans}>
            <Table.Tbody>
              {plans.data.plans.map((plan) => (
                <PlanRow key={plan.key} plan={plan} mayWrite={mayWrite} />
              ))}
            </Table.Tbody>
          </Table>
        )}
        {mayWrite && (
          <Group align="flex-end" gap="sm">
            <KeySelect label={t.key} value={key} onChange={setKey} />
            <NumberInput
              label={t.secondsAMonth}
              min={0}
              w={140}
              allowDecimal={false}
              value={seconds}
              onChange={setSeconds}
              error={set.error === null ? undefined : describe(set.error)}
            />
            <Button
              variant="default"
              loading={set.isPending}
              disabled={key === null || typeof seconds !== 'number'}
              onClick={() => set.mutate({ method: 'PUT', path: `${PLANS}/${key}`, body: { seconds } })}
            >
              {t.setPlan}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function PlanRow({ plan: { key, seconds }, mayWrite }: { plan: Plan; mayWrite: boolean }): ReactNode {
  const t = useTexts(texts);
  const name = useKeyName(key);
  const path = `${PLANS}/${key}`;
  const putBack = useWrite({ changes: [PLANS], done: () => t.planSet });
  const undo = (): void => putBack.mutate({ method: 'PUT', path, body: { seconds } });
  const reset = useWrite({ changes: [PLANS], done: () => ({ message: t.planReset, undo }) });
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td ta="right">{t.planSeconds(seconds)}</Table.Td>
      <Table.Td ta="right">
        {mayWrite && (
          <RowButton label={t.resetPlan(name)} onClick={() => reset.mutate({ method: 'DELETE', path })}>
            {t.reset}
          </RowButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
