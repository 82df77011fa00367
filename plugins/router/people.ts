/** What is kept of a person: records of the calls, each day's sums of them, recorded texts and cached answers. */
import type { PeopleData } from 'plugboard/sdk';
import type { AnswerCache } from './cache/answer-cache.js';
import type { RecordedTexts } from './texts/recorded-texts.js';
import type { UsageLedger } from './usage/ledger.js';
import type { UsageStore } from './usage/store.js';

interface PeopleParts {
  readonly usage: UsageStore;
  readonly ledger: UsageLedger;
  readonly texts: RecordedTexts | undefined;
  readonly cache: AnswerCache | undefined;
}

/** Records that wait for their batch are stored first: an erasure would miss them, and they came after it. */
export function peopleData({ usage, ledger, texts, cache }: PeopleParts): PeopleData {
  return {
    async *export({ principals }) {
      await ledger.flush();
      yield* usage.callsOf(new Set(principals));
      if (texts !== undefined) yield* texts.of(principals);
    },
    async erase({ principals }) {
      await ledger.flush();
      const calls = await usage.forget(new Set(principals));
      await cache?.forget(principals);
      return calls + ((await texts?.forget(principals)) ?? 0);
    },
  };
}
