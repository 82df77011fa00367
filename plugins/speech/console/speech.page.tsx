/** A text spoken by one of the voices, and how it is read. */
import {
  Alert,
  Anchor,
  Button,
  Group,
  Paper,
  Progress,
  Select,
  Slider,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { PlayIcon } from '@radix-ui/react-icons';
import {
  ApiError,
  CopyRequest,
  describe,
  Failed,
  Loading,
  Page,
  queries,
  reactPage,
  RequestToCopy,
  useConsole,
  useRead,
  useTexts,
  useUrlState,
} from 'plugboard/console';
import { useEffect, useState, type ReactNode } from 'react';
import { Plans } from './plans.js';
import { Pronunciations } from './pronunciations.js';
import { Reading, type Explanation } from './reading.js';
import classes from './speech.module.css';
import { texts } from './texts/index.js';
import { VoiceList, type Voice } from './voice-list.js';

export const mount = reactPage(SpeechPage);

const SPEECH = '/api/v1/audio/speech';
const USAGE = '/api/v1/usage';
/** The server's limit. */
const MAX_TEXT = 4096;
const MAX_EXPLAINED = 500;
/** Formats that browsers play. */
const FORMATS = ['mp3', 'wav', 'opus', 'flac'];
/** Milliseconds after the last keystroke before the server is asked for the reading. */
const PAUSE = 400;

function SpeechPage(): ReactNode {
  const t = useTexts(texts);
  const [{ voice, search }, setState] = useUrlState({ voice: 'sera', search: '' });
  const [text, setText] = useState(t.example);
  const [speed, setSpeed] = useState(1);
  const [format, setFormat] = useState('mp3');
  const [settled] = useDebouncedValue(text, PAUSE);
  const voices = useRead<{ voices: Voice[] }>({ path: '/api/v1/voices' });
  const options = { ...(speed !== 1 && { speed }), ...(format !== 'mp3' && { response_format: format }) };
  const body = { voice, input: text, ...options };
  const request = { method: 'POST', path: SPEECH, body } as const;
  const sound = useSound();
  const isExplained = settled.trim() !== '' && settled.length <= MAX_EXPLAINED;
  const explained = useRead<Explanation>(
    isExplained ? { method: 'POST', path: `${SPEECH}/explain`, body: { voice, input: settled } } : undefined,
  );
  if (voices.data === undefined)
    return (
      <Page title={t.speech} summary={t.speechSummary}>
        {voices.error === null ? <Loading /> : <Failed error={voices.error} retry={voices.refetch} />}
      </Page>
    );
  return (
    <Page title={t.speech} summary={t.speechSummary} actions={<CopyRequest request={request} />}>
      <Group align="flex-start" gap="lg">
        <Stack className={classes['main']!}>
          <Textarea
            label={t.text}
            description={t.characters(text.length, MAX_TEXT)}
            inputWrapperOrder={['label', 'input', 'description']}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={MAX_TEXT}
            lang="ko"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Group justify="space-between" align="flex-end">
            <Stack gap={4} w={200}>
              <Text size="sm" id="speech-speed">
                {t.speed}: {speed.toFixed(2)}
              </Text>
              <Slider
                min={0.25}
                max={4}
                step={0.05}
                value={speed}
                onChange={setSpeed}
                label={null}
                thumbProps={{ 'aria-labelledby': 'speech-speed' }}
              />
            </Stack>
            <Select
              label={t.format}
              w={100}
              allowDeselect={false}
              data={FORMATS}
              value={format}
              onChange={(chosen) => setFormat(chosen ?? 'mp3')}
            />
            <Button
              leftSection={<PlayIcon />}
              loading={sound.busy}
              disabled={text.trim() === ''}
              onClick={() => sound.speak(body, format)}
            >
              {t.speak}
            </Button>
          </Group>
          {sound.error !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {describe(sound.error)}
            </Alert>
          )}
          {sound.made !== undefined && (
            <Group gap="sm">
              <audio
                controls
                autoPlay
                src={sound.made.url}
                aria-label={t.sound}
                className={classes['audio']}
              />
              <Text size="sm">{t.seconds(sound.made.seconds)}</Text>
              <Anchor size="sm" href={sound.made.url} download={`${voice}.${sound.made.format}`}>
                {t.download}
              </Anchor>
            </Group>
          )}
          {isExplained
            ? explained.data !== undefined && <Reading explanation={explained.data} />
            : text.trim() !== '' && (
                <Text size="sm" c="dimmed">
                  {t.tooLong(MAX_EXPLAINED)}
                </Text>
              )}
          {isExplained && explained.error !== null && (
            <Failed error={explained.error} retry={explained.refetch} />
          )}
          <RequestToCopy request={request} />
          <Pronunciations onHear={(word) => sound.speak({ voice, input: word, ...options }, format)} />
          <Plans />
        </Stack>
        <Stack className={classes['side']!}>
          <Month />
          <VoiceList
            voices={voices.data.voices}
            chosen={voice}
            search={search}
            onChoose={(id) => setState({ voice: id })}
            onSearch={(found) => setState({ search: found })}
          />
        </Stack>
      </Group>
    </Page>
  );
}

function Month(): ReactNode {
  const t = useTexts(texts);
  const { data } = useRead<{ limit_seconds: number; used_seconds: number; remaining_seconds: number }>({
    path: USAGE,
  });
  if (data === undefined) return null;
  const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between">
          <Text size="sm">{t.month}</Text>
          <Text size="sm" fw={500}>
            {t.left(minutes(data.remaining_seconds))}
          </Text>
        </Group>
        <Progress
          value={data.limit_seconds === 0 ? 100 : (data.used_seconds / data.limit_seconds) * 100}
          aria-label={t.month}
        />
        <Text size="xs" c="dimmed">
          {t.used(minutes(data.used_seconds), minutes(data.limit_seconds))}
        </Text>
      </Stack>
    </Paper>
  );
}

interface Sound {
  readonly busy: boolean;
  readonly error: unknown;
  readonly made: { readonly url: string; readonly seconds: number; readonly format: string } | undefined;
  speak(body: object, format: string): void;
}

/** The latest sound. */
function useSound(): Sound {
  const { fetch } = useConsole();
  const [state, setState] = useState<Omit<Sound, 'speak'>>({
    busy: false,
    error: undefined,
    made: undefined,
  });
  const url = state.made?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const make = async (body: object, format: string): Promise<void> => {
    const answer = await fetch(SPEECH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw await errorOf(answer);
    const made = URL.createObjectURL(await answer.blob());
    setState({
      busy: false,
      error: undefined,
      made: { url: made, seconds: Number(answer.headers.get('x-audio-duration-seconds')), format },
    });
  };
  return {
    ...state,
    speak: (body, format) => {
      setState((before) => ({ ...before, busy: true, error: undefined }));
      make(body, format)
        .catch((error: unknown) => setState((before) => ({ ...before, busy: false, error })))
        .finally(
          () => void queries.invalidateQueries({ predicate: ({ queryKey: [, path] }) => path === USAGE }),
        );
    },
  };
}

async function errorOf(answer: Response): Promise<ApiError> {
  const { error } = (await answer.json().catch(() => ({}))) as {
    error?: { message?: string; code?: string };
  };
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  return new ApiError(error?.message ?? answer.statusText, {
    status: answer.status,
    code: error?.code,
    member: undefined,
    requestId,
  });
}
