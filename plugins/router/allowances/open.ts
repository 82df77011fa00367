/** The allowances of a server: the config's rules, those made by API, and what is counted of them in storage. */
import type { Changes, Clock, Document, Logger, Storage } from 'plugboard/sdk';
import { Added } from '../added.js';
import type { Prices } from '../money/prices.js';
import { Allowances, type ReserveCaps, type Standing } from './allowances.js';
import { Leases } from './leases.js';
import { ruleOf } from './rules.js';
import type { AllowanceRule } from './schema.js';
import { Warnings } from './warnings.js';
import { Windows } from './windows.js';

/** Made by API. Each call looks at all of them. */
export const MOST_RULES = 1_000;

interface RuleDocument extends Document {
  readonly rule: AllowanceRule;
}

export interface AllowanceSettings {
  readonly allowances: Readonly<Record<string, AllowanceRule>>;
  readonly reserve: ReserveCaps;
  readonly maxStreams?: number;
}

interface Needs {
  readonly storage: Storage;
  readonly prices: Prices;
  readonly changes: Changes | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStop: (release: () => void | Promise<void>) => void;
}

export interface OpenAllowances {
  readonly allowances: Allowances;
  readonly stored: Added<RuleDocument>;
  readonly windows: Windows;
}

/** The rules in storage hold from `stored.start` on. */
export function openAllowances(
  { allowances: configured, reserve: caps, maxStreams }: AllowanceSettings,
  { storage, prices, changes, clock, log, onStop }: Needs,
): OpenAllowances {
  const windows = new Windows(storage);
  const leases = new Leases<Standing>(windows, log);
  const warnings = new Warnings({ storage, windows, changes, log });
  leases.onTaken = (bound, used) => warnings.see(bound, used);
  onStop(() => leases.close());
  const own = Object.entries(configured).map(([name, rule]) => ruleOf(name, rule));
  const allowances = new Allowances(own, { leases, prices, caps, clock, maxStreams });
  const rules = storage.collection<RuleDocument>({ name: 'allowances', indexes: [] });
  const stored = new Added(rules, MOST_RULES, (all) => {
    const made = all.filter(({ _id: name }) => !Object.hasOwn(configured, name));
    allowances.rules = [...own, ...made.map(({ _id: name, rule }) => ruleOf(name, rule))];
  });
  return { allowances, stored, windows };
}
