/** Answers before the plugins are up: that the server is alive, and what its start waits for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { kernelErrors } from '../errors.js';
import { pathOf } from '../paths.js';
import { refuse, send } from './bare-answers.js';

/** The phase of the plugin that a start waits for. */
export interface StartStep {
  /** The id of the instance. */
  readonly plugin: string;
  readonly phase: string;
  /** Since the phase began. */
  readonly seconds: number;
  /** The plugin's progress; `total` is null while unknown. */
  readonly progress?: { readonly done: number; readonly total: number | null };
}

/** `setup of "data" (1000 of 5000)`. */
export function stepText({ plugin, phase, progress }: StartStep): string {
  const { done, total } = progress ?? {};
  const far = done === undefined ? '' : ` (${done}${total == null ? '' : ` of ${total}`})`;
  return `${phase} of "${plugin}"${far}`;
}

export function isLiveness({ method, url }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && pathOf(url ?? '') === '/-/live';
}

export function answerLive(response: ServerResponse): void {
  send(response, 200, { status: 'live' });
}

/** `step`: undefined before the first plugin, or if the caller may not see it. */
export function answerStarting(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  step: StartStep | undefined,
): void {
  response.setHeader('retry-after', '1');
  if (pathOf(url) === '/-/ready')
    send(response, 503, { status: 'starting', ...(step && { waitsFor: step }) });
  else refuse(response, kernelErrors.starting({ values: { step: step ? `: ${stepText(step)}` : '' } }));
}
