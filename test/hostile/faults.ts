/** What no request may bring about. */
import type { Attack, Outcome } from './attack.js';

/** Lines of the log that say that something failed that nobody expected. */
const UNEXPECTED = /"level":(?:50|60)/;

export function faultsOf({ outcomes, output }: Pick<Attack, 'outcomes' | 'output'>): unknown[] {
  return [
    ...outcomes.filter((outcome) => (outcome.status >= 500 && !isMeant(outcome)) || outcome.status === -1),
    ...output.split('\n').filter((line) => UNEXPECTED.test(line)),
  ];
}

/**
 * 503 is what a server says that protects itself, 501 what a plugin says that it does not do, and 502 what it says of
 * the model, which answers every prompt with "yes".
 */
function isMeant({ status, body, group }: Outcome): boolean {
  return (
    status === 503 ||
    status === 501 ||
    (status === 502 && (body.includes('"code":"upstream_invalid_response"') || group === 'clients'))
  );
}
