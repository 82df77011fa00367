/** W3C Trace Context (https://www.w3.org/TR/trace-context/): the trace that work belongs to. */
import { randomFillSync } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly sampled: boolean;
  /** Data of other vendors, passed on unchanged. */
  readonly state: string | undefined;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined if invalid: a new trace begins, and `tracestate` is dropped. */
export function readContext({
  traceparent = '',
  tracestate,
}: Readonly<Record<string, string>>): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = PARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, state: tracestate };
}

export function writeContext({ traceId, spanId, sampled, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

export function childOf({ traceId, sampled, state }: TraceContext): TraceContext {
  return { traceId, spanId: newSpanId(), sampled, state };
}

export function newTrace(sampled: boolean): TraceContext {
  return {
    traceId: randomHex(16),
    spanId: newSpanId(),
    sampled,
    state: undefined,
  };
}

function newSpanId(): string {
  return randomHex(8);
}

/** Drawn in bulk: a call for eight bytes takes three microseconds, and a request needs three of them. */
const random = Buffer.alloc(4096);
let used = random.length;

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.toString('hex', used - bytes, used);
}
