/** A usage record of an ordinary call. */
import type { UsageRecord } from '../../../../plugins/router/usage/record.js';

export function callOf(own: Partial<UsageRecord> = {}): UsageRecord {
  return {
    at: new Date('2026-03-10T12:00:00Z'),
    key: 'k',
    purpose: 'chat.completions',
    model: 'a/m',
    route: null,
    upstream: 'a',
    servedModel: 'm',
    stream: false,
    status: 200,
    errorCode: null,
    attempts: 1,
    latency: 5,
    firstToken: null,
    tokensIn: 1,
    tokensOut: 1,
    tokensCached: null,
    tokensCacheWritten: null,
    tokensReasoning: null,
    estimatedIn: null,
    estimatedOut: null,
    cost: null,
    pricedAs: null,
    person: null,
    tags: null,
    cached: false,
    ...own,
  };
}
