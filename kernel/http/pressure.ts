/** Refuses requests with 503 while the event loop lags, so that those already taken are answered in time. */
import fastifyUnderPressure from '@fastify/under-pressure';
import type { Routes } from '../sdk/routes.js';
import type { Check } from './check.js';
import { kernelErrors } from './errors.js';

/** How often the mean lag is measured, in ms. */
const SAMPLE = 1_000;

/** `limit`: the greatest mean lag in ms; 0 for none. */
export async function refuseUnderPressure(app: Routes, limit: number): Promise<Check> {
  if (limit === 0) return () => undefined;
  // A sample counts until the next one ends. The one in which listening begins includes the lag of the start-up,
  // such as an import of many rows, which is over.
  let from = -Infinity;
  app.addHook('onListen', (done) => {
    from = performance.now() + 2 * SAMPLE;
    done();
  });
  let isUnderPressure = (): boolean => false;
  await app.register(async (scope) => {
    // In a scope of its own: only its measurements are wanted; its hook would look up the options of every route.
    await scope.register(fastifyUnderPressure, { maxEventLoopDelay: limit, sampleInterval: SAMPLE });
    isUnderPressure = () => scope.isUnderPressure();
  });
  // An operator must be able to look at an overloaded server.
  return ({ url }) =>
    !isUnderPressure() || performance.now() < from || url.startsWith('/-/')
      ? undefined
      : kernelErrors.overloaded({ headers: { 'retry-after': '1' } });
}
