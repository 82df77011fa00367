/** Messages of Phoenix channels: arrays (`vsn=2.0.0`), or objects for older clients. */

export interface Frame {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type Version = '1.0.0' | '2.0.0';

/** Undefined for an invalid message. */
export function parseFrame(text: string): Frame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { join_ref, ref: ownRef, topic: ownTopic, event: ownEvent, payload: own } = value;
  const parts: readonly unknown[] = Array.isArray(value)
    ? value
    : [join_ref, ownRef, ownTopic, ownEvent, own];
  const [joinRef = null, ref = null, topic, event, payload] = parts;
  if (!isRef(joinRef) || !isRef(ref) || typeof topic !== 'string' || typeof event !== 'string')
    return undefined;
  if (topic.length > LONGEST || event.length > LONGEST) return undefined;
  return { joinRef, ref, topic, event, payload: isObject(payload) && !Array.isArray(payload) ? payload : {} };
}

/** Characters of a topic, an event and a reference. */
const LONGEST = 255;

function isRef(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= LONGEST);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `payload` is JSON. */
export function frameText(
  version: Version,
  { joinRef, ref, topic, event }: Omit<Frame, 'payload'>,
  payload: string,
): string {
  if (version === '2.0.0') return `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${payload}]`;
  return `${JSON.stringify({ join_ref: joinRef, ref, topic, event }).slice(0, -1)},"payload":${payload}}`;
}
