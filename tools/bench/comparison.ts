/** Two sides of the same bursts as the table that all benches print. */
import { ratio, type BurstOptions, type Figures } from './bursts.js';
import { machine, median, table } from './table.js';

export function comparison(
  [ours, theirs]: readonly Figures[],
  { turns, seconds, connections }: BurstOptions,
  more: readonly (readonly string[])[] = [],
): string {
  if (ours === undefined || theirs === undefined) throw new Error('two sides make a comparison');
  const row = (name: string, key: 'perSecond' | 'perRequest' | 'p99', digits = 0): string[] => [
    name,
    median(ours[key]).toFixed(digits),
    median(theirs[key]).toFixed(digits),
    ratio(ours[key], theirs[key]),
  ];
  const rows = [
    row('requests/s', 'perSecond'),
    row('processor time a request, us', 'perRequest', 1),
    row('p99, ms', 'p99', 1),
    ...more,
  ];
  const how = `${turns} alternating bursts of ${seconds} s, ${connections} connections; medians`;
  return `${machine()}; ${how}\n\n${table(['', ours.name, theirs.name, 'ratio'], rows)}`;
}
