/** Responsibilities for an account: its dashboard, fees, losses, and the collection of requirements. */
import { isConnected, type AccountState } from './state.js';

export type Collector = 'service' | 'application';

export interface Controller {
  readonly dashboard: 'express' | 'full' | 'none';
  readonly fees_collector: Collector;
  readonly losses_collector: Collector;
  readonly requirements_collector: Collector;
}

/**
 * The controller that follows from the settings; undefined for an account that is at most a customer. An unset
 * dashboard follows from the responsibilities and vice versa; with neither, the service does everything.
 */
export function controllerOf(state: AccountState): Controller | undefined {
  if (!isConnected(state)) return undefined;
  const given = state.defaults?.responsibilities as
    { fees_collector: Collector; losses_collector: Collector } | undefined;
  const dashboard =
    state.dashboard ??
    (given === undefined || (given.fees_collector === 'service' && given.losses_collector === 'service')
      ? 'full'
      : 'none');
  const usual: Collector = dashboard === 'full' ? 'service' : 'application';
  const fees_collector = given?.fees_collector ?? usual;
  const losses_collector = given?.losses_collector ?? usual;
  const requirements_collector =
    dashboard === 'none' && losses_collector === 'application' ? 'application' : 'service';
  return { dashboard, fees_collector, losses_collector, requirements_collector };
}
