/** Copies text, and requests as curl. */
import { ActionIcon, Box, Button, Code, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { useEffect, useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { addressOf, type ApiRequest } from './call.js';
import classes from './copy.module.css';
import { useConsole } from './context.js';
import { useTexts } from './texts.js';

/** Milliseconds for which "copied" is shown. */
const SAID = 2000;

/** Copies to the clipboard, which works only on https and localhost; elsewhere a notice says what to do. */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const t = useTexts(texts);
  const { notify } = useConsole();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (text: string): void => {
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const written = clipboard?.writeText(text) ?? Promise.reject(new Error(t.copyFailed));
    written.then(
      () => setCopied(true),
      () => notify({ kind: 'failed', message: t.copyFailed }),
    );
  };
  return { copied, copy };
}

/** A small copy button next to a text. `label`: what is copied. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const t = useTexts(texts);
  const { copied, copy } = useCopy();
  const said = copied ? t.copied : `${t.copy}: ${label}`;
  return (
    <Tooltip label={said}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={said} onClick={() => copy(text)}>
        {copied ? <CheckIcon /> : <CopyIcon />}
      </ActionIcon>
    </Tooltip>
  );
}

/** Code in its own box, with a copy button. */
export function CopyBlock({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <Box pos="relative">
      <Code block className={classes['block']!} tabIndex={0} role="region" aria-label={label}>
        {text}
      </Code>
      <Box className={classes['button']!}>
        <CopyButton text={text} label={label} />
      </Box>
    </Box>
  );
}

/** Copies the request as curl, with the address under which this page was opened. */
export function CopyRequest({ request }: { request: ApiRequest }): ReactNode {
  const t = useTexts(texts);
  const { root } = useConsole();
  const { copied, copy } = useCopy();
  return (
    <Button
      variant="default"
      leftSection={copied ? <CheckIcon /> : <CopyIcon />}
      onClick={() => copy(curlOf(request, root))}
    >
      {copied ? t.copied : t.copyRequest}
    </Button>
  );
}

/** The request to read and to copy. */
export function RequestToCopy({ request, keyText }: { request: ApiRequest; keyText?: string }): ReactNode {
  const t = useTexts(texts);
  const { root } = useConsole();
  return (
    <Box maw="100%" ta="left">
      <CopyBlock text={curlOf(request, root, keyText)} label={t.copyRequest} />
    </Box>
  );
}

/** `keyText`: the API key; by default the shell variable `PLUGBOARD_KEY`. */
export function curlOf(request: ApiRequest, root: string, keyText = '$PLUGBOARD_KEY'): string {
  const { method = 'GET', body, headers = {} } = request;
  const address = quote(`${location.origin}${root}${addressOf(request)}`);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${address}`,
    `-H "Authorization: Bearer ${keyText}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Quotes one shell word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
