/** The faults of an upstream, and what a client is answered where every target has them. */
import type { Behaviour } from '../../../support/peers/upstream.js';

export interface Fault {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Where every target has the fault: what a JSON call and a stream are answered. */
  readonly everywhere: readonly [status: number, code: string];
  readonly only?: 'json' | 'stream';
  /** On a kept connection it looks as if nobody had read the request, which then goes out once more. */
  readonly mayRepeat?: true;
  /** No other upstream is tried. */
  readonly final?: true;
  /** Whose fault it is: of the key for this model, or of the key for all. Default: of the model, or of one call. */
  readonly of?: 'key and model' | 'key';
}

const FAILED = [502, 'upstream_failed'] as const;
const INVALID = [502, 'upstream_invalid_response'] as const;
const TIMEOUT = [504, 'upstream_timeout'] as const;

/** The key may be used at once by another call, but not again by the one that it was refused for. */
const NO_REST = { 'retry-after': '0' };

export const FAULTS: readonly Fault[] = [
  { name: '408', behaviour: { kind: 'status', status: 408 }, everywhere: FAILED },
  {
    name: '429',
    behaviour: { kind: 'status', status: 429, headers: NO_REST },
    everywhere: [429, 'rate_limit_exceeded'],
    of: 'key and model',
  },
  { name: '500', behaviour: { kind: 'status', status: 500 }, everywhere: FAILED },
  { name: '503', behaviour: { kind: 'status', status: 503 }, everywhere: FAILED },
  {
    name: '401',
    behaviour: { kind: 'status', status: 401, headers: NO_REST },
    everywhere: [502, 'upstream_auth_failed'],
    of: 'key',
  },
  {
    name: '402',
    behaviour: { kind: 'status', status: 402, headers: NO_REST },
    everywhere: [502, 'upstream_auth_failed'],
    of: 'key',
  },
  {
    name: '403',
    behaviour: { kind: 'status', status: 403 },
    everywhere: [502, 'upstream_auth_failed'],
  },
  { name: '404', behaviour: { kind: 'status', status: 404 }, everywhere: [404, 'model_not_found'] },
  { name: '302', behaviour: { kind: 'status', status: 302 }, everywhere: INVALID },
  {
    name: '400',
    behaviour: { kind: 'status', status: 400 },
    everywhere: [400, 'upstream_rejected'],
    final: true,
  },
  {
    name: '422',
    behaviour: { kind: 'status', status: 422 },
    everywhere: [422, 'upstream_rejected'],
    final: true,
  },
  {
    name: 'a hang before the headers',
    behaviour: { kind: 'hang', where: 'before headers' },
    everywhere: TIMEOUT,
  },
  {
    name: 'a hang in a JSON answer',
    behaviour: { kind: 'hang', where: 'mid stream' },
    everywhere: TIMEOUT,
    only: 'json',
  },
  {
    name: 'a hang before the first event',
    behaviour: { kind: 'hang', where: 'before first event' },
    everywhere: TIMEOUT,
    only: 'stream',
  },
  {
    name: 'a break before the headers',
    behaviour: { kind: 'break', where: 'before headers' },
    everywhere: FAILED,
    mayRepeat: true,
  },
  {
    name: 'a break in a JSON answer',
    behaviour: { kind: 'break', where: 'mid stream' },
    everywhere: FAILED,
    only: 'json',
  },
  {
    name: 'a break before the first event',
    behaviour: { kind: 'break', where: 'before first event' },
    everywhere: FAILED,
    only: 'stream',
  },
  { name: 'an empty answer', behaviour: { kind: 'empty' }, everywhere: INVALID },
  { name: 'a page of HTML', behaviour: { kind: 'nonsense', text: '<html></html>' }, everywhere: INVALID },
  {
    name: 'an event that is no JSON',
    behaviour: { kind: 'nonsense', text: 'data: <html>\n\n' },
    everywhere: INVALID,
    only: 'stream',
  },
  { name: 'a list', behaviour: { kind: 'nonsense', text: '[1]' }, everywhere: INVALID, only: 'json' },
  {
    name: 'an answer without choices',
    behaviour: { kind: 'nonsense', text: '{"id":"x"}' },
    everywhere: INVALID,
    only: 'json',
  },
  {
    name: 'an error with status 200',
    behaviour: { kind: 'nonsense', text: '{"error":{"message":"x"}}' },
    everywhere: FAILED,
    only: 'json',
  },
  {
    name: 'an error as the first event',
    behaviour: { kind: 'nonsense', text: 'data: {"error":{"message":"x"}}\n\n' },
    everywhere: FAILED,
    only: 'stream',
  },
];
