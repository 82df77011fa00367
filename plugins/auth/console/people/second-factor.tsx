/** One-time passwords of a person. The secret is shown once, when they are turned on. */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Confirm, CopyBlock, useTexts, useWrite } from 'plugboard/console';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { USERS, type Enrolment, type User } from './user.js';

export function SecondFactor({ user }: { user: User }): ReactNode {
  const t = useTexts(texts);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [asking, setAsking] = useState(false);
  const path = `${USERS}/${user.id}/otp`;
  const turnOn = useWrite<Enrolment>({ changes: [USERS] });
  return (
    <Stack>
      <Group justify="space-between">
        <Stack gap={0}>
          <Title order={2} size="h3">
            {t.twoFactor}
          </Title>
          <Text size="sm" c="dimmed">
            {user.twoFactor ? t.otpIsOn : t.otpIsOff}
          </Text>
        </Stack>
        {user.twoFactor ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t.turnOff}
          </Button>
        ) : (
          <Button
            variant="default"
            loading={turnOn.isPending}
            onClick={() => turnOn.mutate({ method: 'POST', path }, { onSuccess: setEnrolment })}
          >
            {t.turnOn}
          </Button>
        )}
      </Group>
      {enrolment !== undefined && (
        <Alert color="yellow" variant="light" title={t.otpOnce}>
          <Stack gap="xs">
            <CopyBlock text={enrolment.secret} label={t.otpSecret} />
            <CopyBlock text={enrolment.uri} label={t.otpUri} />
          </Stack>
        </Alert>
      )}
      <Confirm
        title={t.otpQuestion(user.login)}
        action={t.turnOff}
        request={asking ? { method: 'DELETE', path } : undefined}
        changes={[USERS]}
        done={() => t.otpOff(user.login)}
        onDone={() => setEnrolment(undefined)}
        onClose={() => setAsking(false)}
      >
        {t.otpHint}
      </Confirm>
    </Stack>
  );
}
