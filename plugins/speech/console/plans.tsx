/** How much each key may speak in a month: for those who manage the server. */
import { Button, Group, NumberInput, Paper, Select, Stack, Table, Text } from '@mantine/core';
import { describe, useConsole, useRead, useTexts, useWrite } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from './texts/index.js';

const PLANS = '/api/v1/plans';

interface Plan {
  readonly key: string;
  readonly seconds: number;
}

interface Key {
  readonly id: string;
  readonly name: string;
  readonly revokedAt: string | null;
}

export function Plans(): ReactNode {
  const t = useTexts(texts);
  const { person } = useConsole();
  const plans = useRead<{ plans: Plan[] }>({ path: PLANS });
  const keys = useRead<{ keys: Key[] }>({ path: '/api/keys' });
  const [key, setKey] = useState<string | null>(null);
  const [seconds, setSeconds] = useState<number | string>('');
  const set = useWrite({ changes: [PLANS], done: () => t.planSet, quiet: true });
  const reset = useWrite({ changes: [PLANS], done: () => t.planReset });
  // A member sees neither keys nor plans.
  if (plans.data === undefined || keys.data === undefined) return null;
  const nameOf = (id: string): string => keys.data.keys.find((one) => one.id === id)?.name ?? id;
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
                <Table.Tr key={plan.key}>
                  <Table.Td>{nameOf(plan.key)}</Table.Td>
                  <Table.Td ta="right">{t.planSeconds(plan.seconds)}</Table.Td>
                  <Table.Td ta="right">
                    {mayWrite && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t.resetPlan(nameOf(plan.key))}
                        onClick={() => reset.mutate({ method: 'DELETE', path: `${PLANS}/${plan.key}` })}
                      >
                        {t.reset}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {mayWrite && (
          <Group align="flex-end" gap="sm">
            <Select
              label={t.key}
              searchable
              value={key}
              onChange={setKey}
              data={keys.data.keys
                .filter(({ revokedAt }) => revokedAt === null)
                .map(({ id, name }) => ({ value: id, label: name }))}
            />
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
