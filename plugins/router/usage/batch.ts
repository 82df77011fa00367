/** Calls that are stored together, once, however often their storing is tried. */
import { newId } from 'plugboard/sdk';
import { HourPage, hourOf } from './hour-page.js';
import type { UsageRecord } from './record.js';

export class UsageBatch {
  readonly id = newId();
  size = 0;
  readonly #pages = new Map<number, HourPage>();

  add(record: UsageRecord): void {
    this.size += 1;
    const hour = hourOf(record.at);
    let page = this.#pages.get(hour.getTime());
    if (page === undefined) this.#pages.set(hour.getTime(), (page = new HourPage(hour)));
    page.add(record);
  }

  get pages(): readonly HourPage[] {
    return [...this.#pages.values()];
  }
}
