/** Reads the JSON of an answer whole; a large one that need not be changed is passed on instead. */
import { nextTurn } from 'plugboard/sdk';
import { AnswerTooLarge, joined, withoutMark, type UpstreamAnswer } from '../upstream/answer.js';
import { AnswerEdges, type LongMember } from './answer-edges.js';
import { attemptFailure, type Limits } from './exchange.js';
import { AttemptFailure } from './failure.js';
import { PassedAnswer } from './passed-answer.js';
import { upstreamJson } from './upstream-json.js';
import type { Watchdog } from './watchdog.js';

export interface JsonAnswer {
  /** As the upstream wrote it. */
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Bytes: parsing less takes a few milliseconds. */
const LARGE = 512 * 1024;

/** The whole answer, a JSON object. */
export async function readJson(
  answer: UpstreamAnswer,
  watchdog: Watchdog,
  limits: Limits,
): Promise<JsonAnswer> {
  try {
    const { idle, maxAnswerBytes } = limits;
    watchdog.arm('idle', idle);
    const text = await answer.text(maxAnswerBytes, () => watchdog.arm('idle', idle));
    return await parsed(text);
  } catch (error) {
    throw attemptFailure(error);
  }
}

/** The whole answer when it is small. A large one whose beginning holds `member` is passed on as it comes. */
export function readOrPass(
  answer: UpstreamAnswer,
  watchdog: Watchdog,
  limits: Limits,
  member: LongMember,
): JsonAnswer | Promise<JsonAnswer | PassedAnswer> {
  // Most answers come in one packet with their headers.
  const whole = answer.takeWhole(Math.min(LARGE, limits.maxAnswerBytes));
  if (whole === undefined) return readPieces(answer, watchdog, limits, member);
  return { text: whole, json: parseObject(whole) };
}

async function readPieces(
  answer: UpstreamAnswer,
  watchdog: Watchdog,
  limits: Limits,
  member: LongMember,
): Promise<JsonAnswer | PassedAnswer> {
  try {
    const read = await new Promise<string | PassedAnswer>((resolve, reject) => {
      const held: Buffer[] = [];
      let bytes = 0;
      let isLarge = false;
      let isOver = false;
      let isAwaited = false;
      let passed: PassedAnswer | undefined;
      answer.read({
        piece(piece) {
          if (passed !== undefined) {
            passed.piece(piece);
            return;
          }
          if (isAwaited) watchdog.arm('idle', limits.idle);
          held.push(piece);
          bytes += piece.length;
          if (bytes > limits.maxAnswerBytes) {
            // Refused here, too: an answer that has ended cannot be aborted.
            isOver = true;
            reject(new AnswerTooLarge());
            answer.abort(new AnswerTooLarge());
          } else if (!isLarge && bytes > LARGE) {
            isLarge = true;
            const begun = withoutMark(joined(held));
            const edges = new AnswerEdges(begun.toString('utf8'));
            if (!edges.holds(member)) return;
            passed = new PassedAnswer(answer, watchdog, limits, { begun, edges });
            resolve(passed);
          }
        },
        end() {
          isOver = true;
          if (passed === undefined) resolve(withoutMark(joined(held)).toString('utf8'));
          else passed.end();
        },
        fail(error) {
          isOver = true;
          if (passed === undefined) reject(error);
          else passed.fail(error);
        },
      });
      if (isOver || passed !== undefined) return;
      isAwaited = true;
      watchdog.arm('idle', limits.idle);
    });
    return typeof read === 'string' ? await parsed(read) : read;
  } catch (error) {
    throw attemptFailure(error);
  }
}

/** One large answer in a turn of the event loop: small calls pass in between. */
function parsed(text: string): JsonAnswer | Promise<JsonAnswer> {
  if (text.length <= LARGE) return { text, json: parseObject(text) };
  return nextTurn().then(() => ({ text, json: parseObject(text) }));
}

/** Throws an `AttemptFailure` for what is no JSON object, and for an error. */
export function parseObject(text: string): Record<string, unknown> {
  const value = upstreamJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AttemptFailure('invalid', 'not_an_object');
  }
  // Some servers answer an error with status 200.
  if ('error' in value && value.error !== null && value.error !== undefined) {
    throw new AttemptFailure('failed', 'error_in_answer');
  }
  return value as Record<string, unknown>;
}
