/** A conversation with one model: past turns, the present answer, and how to stop it. */
import { useConsole } from 'plugboard/console';
import { useEffect, useRef, useState } from 'react';
import { streamChat, type ChatMessage, type ChatRequest, type Progress } from './stream.js';

export interface Turn {
  readonly question: string;
  readonly answer: Progress;
  readonly state: 'streaming' | 'done' | 'stopped' | 'failed';
  readonly error?: unknown;
}

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly busy: boolean;
  /** `settings`: model, parameters and the system prompt. */
  send(question: string, settings: Settings): void;
  stop(): void;
  clear(): void;
}

export interface Settings {
  readonly model: string;
  readonly system: string;
  readonly parameters: Readonly<Record<string, number>>;
}

const NOTHING: Progress = { text: '', firstToken: undefined, total: undefined, tokens: undefined };

export function useConversation(): Conversation {
  const context = useConsole();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = (question: string, settings: Settings): void => {
    const controller = new AbortController();
    running.current = controller;
    const request = requestOf(turns, question, settings);
    setTurns((before) => [...before, { question, answer: NOTHING, state: 'streaming' }]);
    const change = (part: Partial<Turn>): void => {
      // A cleared conversation has no turn to change.
      if (running.current === controller)
        setTurns((before) => [...before.slice(0, -1), { ...before.at(-1)!, ...part }]);
    };
    streamChat(context, request, controller.signal, (answer) => change({ answer })).then(
      () => change({ state: 'done' }),
      (error: unknown) =>
        change(controller.signal.aborted ? { state: 'stopped' } : { state: 'failed', error }),
    );
  };
  return {
    turns,
    busy: turns.at(-1)?.state === 'streaming',
    send,
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      running.current = undefined;
      setTurns([]);
    },
  };
}

/** Failed turns are not sent to the model: they have no answer. */
export function requestOf(turns: readonly Turn[], question: string, settings: Settings): ChatRequest {
  const said = turns.flatMap(({ question: asked, answer, state }): ChatMessage[] =>
    state === 'failed' || answer.text === ''
      ? []
      : [
          { role: 'user', content: asked },
          { role: 'assistant', content: answer.text },
        ],
  );
  const system: ChatMessage[] =
    settings.system.trim() === '' ? [] : [{ role: 'system', content: settings.system }];
  return {
    model: settings.model,
    ...settings.parameters,
    messages: [...system, ...said, { role: 'user', content: question }],
  };
}
