/** The allowances of a server: the config's rules, those made by API, and what is counted of them in storage. */
import type { Changes, Clock, Logger, Storage } from 'plugboard/sdk';
import type { Prices } from '../money/prices.js';
import { Allowances, type ReserveCaps, type Standing } from './allowances.js';
import { Leases } from './leases.js';
import { ruleOf } from './rules.js';
import type { AllowanceRule } from './schema.js';
import { StoredRules } from './stored-rules.js';
import { Warnings } from './warnings.js';
import { Windows } from './windows.js';

export interface AllowanceSettings {
  readonly allowances: Readonly<Record<string, AllowanceRule>>;
  readonly reserve: ReserveCaps;
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
  readonly stored: StoredRules;
  readonly windows: Windows;
}

/** The rules in storage hold from the first `stored.read` on. */
export function openAllowances(
  { allowances: configured, reserve: caps }: AllowanceSettings,
  { storage, prices, changes, clock, log, onStop }: Needs,
): OpenAllowances {
  const windows = new Windows(storage);
  const leases = new Leases<Standing>(windows, log);
  const warnings = new Warnings({ storage, windows, changes, log });
  leases.onTaken = (bound, used) => warnings.see(bound, used);
  onStop(() => leases.close());
  const own = Object.entries(configured).map(([name, rule]) => ruleOf(name, rule));
  const allowances = new Allowances(own, { leases, prices, caps, clock });
  const stored = new StoredRules(
    storage,
    (rules) => {
      const made = rules.filter(({ name }) => !Object.hasOwn(configured, name));
      allowances.rules = [...own, ...made.map(({ name, rule }) => ruleOf(name, rule))];
    },
    log,
  );
  onStop(() => stored.close());
  return { allowances, stored, windows };
}
