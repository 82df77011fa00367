/** Refuses requests with 503 while the event loop lags, so that those already taken are answered in time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Routes } from '../../sdk/http/routes.js';
import type { Check } from './check.js';
import { kernelErrors } from '../errors.js';

/** How often the mean lag is measured, in ms. */
const SAMPLE = 1_000;

/** The resolution in ms: without any lag the histogram shows as much. */
const RESOLUTION = 10;

/**
 * `limit`: the greatest mean lag in ms; 0 for none. Measured only while the server listens: a start may keep the event
 * loop busy, e.g. with a large import.
 */
export function refuseUnderPressure(app: Routes, limit: number): Check {
  if (limit === 0) return () => undefined;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  let timer: NodeJS.Timeout | undefined;
  let lags = false;
  app.addHook('onListen', (done) => {
    delay.enable();
    timer = setInterval(() => {
      lags = delay.mean / 1e6 - RESOLUTION > limit;
      delay.reset();
    }, SAMPLE).unref();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    delay.disable();
    done();
  });
  // An operator must be able to look at an overloaded server.
  return ({ url }) =>
    lags && !url.startsWith('/-/') ? kernelErrors.overloaded({ headers: { 'retry-after': '1' } }) : undefined;
}
