/** How a change is delivered: CloudEvents 1.0, signed by Standard Webhooks, unless a plugin has its own form. */
import type { ChangeAttempt, ChangeForm, ChangeMessage, RecordedChange } from 'plugboard/sdk';
import { signed } from './signature.js';

/** Structured, because binary mode leaves attributes unsigned. `source`: the plugin that made the change. */
export function cloudEvent(source: string, { id, at, type, subject, data }: RecordedChange): string {
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: `/${source}`,
    type,
    subject,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data,
  });
}

export const cloudEvents = {
  message: ({ secret, id, at, body }: ChangeAttempt): ChangeMessage => ({
    headers: { 'content-type': 'application/cloudevents+json', ...signed(secret, id, at, body) },
    body,
  }),
};

/** The forms of plugins, by plugin id. */
export class Forms {
  readonly #own = new Map<string, ChangeForm>();

  add(plugin: string, form: ChangeForm): void {
    this.#own.set(plugin, form);
  }

  /** Undefined if the endpoint's plugin is not installed: the endpoint waits for it. */
  ofEndpoint(own: { readonly plugin: string } | undefined): Pick<ChangeForm, 'message'> | undefined {
    return own === undefined ? cloudEvents : this.#own.get(own.plugin);
  }

  body(own: { readonly plugin: string } | undefined, source: string, change: RecordedChange): string {
    if (own === undefined) return cloudEvent(source, change);
    const form = this.#own.get(own.plugin);
    if (form === undefined) throw new TypeError(`"${own.plugin}" has no form of changes`);
    return form.body(change);
  }
}
