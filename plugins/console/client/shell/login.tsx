/** Login: by name and password, with a one-time password if required, or by an identity provider. */
import {
  Alert,
  Anchor,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { ApiError, describe } from 'plugboard/console';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useWords } from './language.js';
import { Logo } from './logo.js';
import { logIn, root, type Provider } from './server.js';

const ASKS_FOR_OTP = new Set(['otp_required', 'invalid_otp']);

export function Login({ providers }: { providers: readonly Provider[] }): ReactNode {
  const t = useWords();
  const [login, setLogin] = useState('admin');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const [asksForOtp, setAsksForOtp] = useState(false);
  const otpField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asksForOtp) otpField.current?.focus();
  }, [asksForOtp]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await logIn({
        ...(login.trim() !== '' && { login: login.trim() }),
        password,
        ...(otp !== '' && { otp }),
      });
    } catch (thrown) {
      const needsOtp = thrown instanceof ApiError && ASKS_FOR_OTP.has(thrown.code ?? '');
      if (needsOtp) setAsksForOtp(true);
      // The first answer only says that another field is needed.
      if (!needsOtp || asksForOtp) setError(thrown as Error);
      if (!needsOtp) passwordField.current?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={380} gap="lg">
        <Stack align="center" gap="xs">
          <Logo size={36} />
          <Title order={1}>{t.login}</Title>
        </Stack>
        <Paper withBorder p="lg">
          <form onSubmit={(event) => void submit(event)}>
            <Stack>
              {error !== undefined && (
                <Alert role="alert" color="red" variant="light" title={t.loginFailed}>
                  {describe(error)}
                </Alert>
              )}
              <TextInput
                label={t.loginName}
                value={login}
                required
                autoComplete="username"
                onChange={({ currentTarget }) => setLogin(currentTarget.value)}
              />
              <PasswordInput
                ref={passwordField}
                label={t.password}
                description={t.loginHint}
                value={password}
                required
                data-autofocus
                autoFocus
                autoComplete="current-password"
                visibilityToggleButtonProps={{ 'aria-label': t.showPassword }}
                onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              />
              {asksForOtp && (
                <TextInput
                  ref={otpField}
                  label={t.oneTimePassword}
                  value={otp}
                  required
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  onChange={({ currentTarget }) => setOtp(currentTarget.value)}
                />
              )}
              <Button type="submit" loading={busy} fullWidth>
                {t.login}
              </Button>
            </Stack>
          </form>
          {providers.length > 0 && (
            <Stack mt="md">
              <Divider label={t.orWith} />
              {providers.map(({ name, label, login: path }) => (
                <Button
                  key={name}
                  component="a"
                  variant="default"
                  href={`${root}${path}?next=${encodeURIComponent(here())}`}
                >
                  {label}
                </Button>
              ))}
            </Stack>
          )}
        </Paper>
        <Text ta="center" size="sm">
          <Anchor href={`${root}/-/docs`}>{t.apiDocs}</Anchor>
        </Text>
      </Stack>
    </Center>
  );
}

/** As the server knows it: the proxy adds its own prefix. */
function here(): string {
  return `${location.pathname.slice(root.length)}${location.search}`;
}
