/** Calls that are stored together, once, however often their storing is tried. */
import { newId } from 'plugboard/sdk';
import { HourPage, hourOf } from './hour-page.js';
import type { UsageRecord } from './record.js';

export class UsageBatch {
  size = 0;
  #id: string | undefined;
  /** When the last of its calls ended. */
  #end = 0;
  readonly #pages = new Map<number, HourPage>();

  add(record: UsageRecord): void {
    this.size += 1;
    this.#end = Math.max(this.#end, record.at.getTime() + record.latency);
    const hour = hourOf(record.at);
    let page = this.#pages.get(hour.getTime());
    if (page === undefined) this.#pages.set(hour.getTime(), (page = new HourPage(hour)));
    page.add(record);
  }

  /** For a batch that takes no more calls. In the order of time, as calls are listed by it. */
  get id(): string {
    return (this.#id ??= `${Math.trunc(this.#end).toString(16).padStart(12, '0')}-${newId()}`);
  }

  get pages(): readonly HourPage[] {
    return [...this.#pages.values()];
  }
}
