/** Neutral events as the events of a response. */
import type { ServiceError } from 'plugboard/sdk';
import { NO_USAGE, type FinishReason, type NeutralEvent, type OpenPart, type Signature } from '../neutral.js';
import type { Asked, Json, StreamWriter } from '../dialect.js';
import { responseOf } from './answer.js';
import { callItem, isTextTool, itemOf, messageItem, outputText, reasoningItem } from './items.js';
import { inputOf } from './request-in.js';

export class ResponseStreamWriter implements StreamWriter {
  readonly #asked: Asked;
  #number = 0;
  #id = 'response';
  #usage = NO_USAGE;
  #finish: FinishReason = 'stop';
  readonly #output: Json[] = [];
  #open: { readonly part: OpenPart; readonly item: string } | undefined;
  #pieces: string[] = [];
  #signature: Signature | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'start': {
        this.#id = event.id ?? this.#id;
        const response = responseOf(this.#id, this.#asked, { output: [] });
        return (
          this.#event('response.created', { response }) + this.#event('response.in_progress', { response })
        );
      }
      case 'open':
        return this.#begin(event.part);
      case 'delta':
        return this.#delta(event.text);
      case 'signature':
        this.#signature = event.signature;
        return '';
      case 'close':
        return this.#close();
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'finish':
        this.#finish = event.reason;
        return '';
      case 'end': {
        const state = { output: this.#output, finish: this.#finish, usage: this.#usage };
        const response = responseOf(this.#id, this.#asked, state);
        return this.#event(`response.${String(response['status'])}`, { response });
      }
    }
  }

  /** A stream that is cut does not throw in the SDK: the failure is said. */
  fail({ code, message }: ServiceError): string {
    const state = { output: this.#output, error: { code: 'server_error', message } };
    const response = responseOf(this.#id, this.#asked, state);
    return (
      this.#event('error', { code, message, param: null }) + this.#event('response.failed', { response })
    );
  }

  get #index(): number {
    return this.#output.length;
  }

  #begin(part: OpenPart): string {
    const item = itemOf(this.#id, this.#index, part.kind);
    this.#open = { part, item };
    this.#pieces = [];
    this.#signature = undefined;
    const begun =
      part.kind === 'text'
        ? messageItem(item, undefined, 'in_progress')
        : part.kind === 'thinking'
          ? { id: item, type: 'reasoning', summary: [] }
          : callItem(item, part, '', 'in_progress', this.#asked);
    const added = this.#event('response.output_item.added', { output_index: this.#index, item: begun });
    return part.kind === 'text'
      ? added + this.#inItem('response.content_part.added', { content_index: 0, part: outputText('') })
      : added;
  }

  #delta(delta: string): string {
    const isFirst = this.#pieces.length === 0;
    this.#pieces.push(delta);
    const part = this.#open?.part;
    if (part?.kind === 'text')
      return this.#inItem('response.output_text.delta', { content_index: 0, delta, logprobs: [] });
    if (part?.kind === 'thinking') {
      const empty = { summary_index: 0, part: { type: 'summary_text', text: '' } };
      return (
        (isFirst ? this.#inItem('response.reasoning_summary_part.added', empty) : '') +
        this.#inItem('response.reasoning_summary_text.delta', { summary_index: 0, delta })
      );
    }
    // A text is not known before its JSON is whole.
    if (part === undefined || isTextTool(this.#asked, part.name)) return '';
    return this.#inItem('response.function_call_arguments.delta', { delta });
  }

  #close(): string {
    if (this.#open === undefined) return '';
    const { part, item } = this.#open;
    const text = this.#pieces.join('');
    const [events, done] = this.#ended(part, item, text);
    const ended = this.#event('response.output_item.done', { output_index: this.#index, item: done });
    this.#output.push(done);
    this.#open = undefined;
    return events + ended;
  }

  #ended(part: OpenPart, item: string, text: string): [string, Json] {
    if (part.kind === 'text') {
      const events =
        this.#inItem('response.output_text.done', { content_index: 0, text, logprobs: [] }) +
        this.#inItem('response.content_part.done', { content_index: 0, part: outputText(text) });
      return [events, messageItem(item, text, 'completed')];
    }
    if (part.kind === 'thinking') {
      const summary = { summary_index: 0, part: { type: 'summary_text', text } };
      const events =
        text === ''
          ? ''
          : this.#inItem('response.reasoning_summary_text.done', { summary_index: 0, text }) +
            this.#inItem('response.reasoning_summary_part.done', summary);
      // The id of an item must not change in a stream.
      return [events, { ...reasoningItem(item, text, this.#signature, this.#asked), id: item }];
    }
    const done = callItem(item, part, text === '' ? '{}' : text, 'completed', this.#asked);
    if (!isTextTool(this.#asked, part.name))
      return [
        this.#inItem('response.function_call_arguments.done', {
          name: part.name,
          arguments: text === '' ? '{}' : text,
        }),
        done,
      ];
    const input = inputOf(text);
    const events =
      this.#inItem('response.custom_tool_call_input.delta', { delta: input }) +
      this.#inItem('response.custom_tool_call_input.done', { input });
    return [events, done];
  }

  #inItem(type: string, members: Json): string {
    return this.#event(type, { item_id: this.#open?.item, output_index: this.#index, ...members });
  }

  #event(type: string, members: Json): string {
    const data = JSON.stringify({ type, sequence_number: this.#number, ...members });
    this.#number += 1;
    return `event: ${type}\ndata: ${data}\n\n`;
  }
}
