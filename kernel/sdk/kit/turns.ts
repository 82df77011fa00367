/**
 * Long work on the event loop, cut into slices of a few milliseconds. A turn of the loop has room for one slice in all:
 * a hundred requests that each yield in time would still block all others for a hundred slices. The state is the
 * module's, as the loop is the process's.
 */

/** Milliseconds. */
const TURN = 4;

/** When long work began to use this turn of the loop. */
let began: number | undefined;
const waiting: (() => void)[] = [];
let scheduled = false;

/** Whether long work has used up this turn of the loop: then await `nextTurn`. Cheap enough to call per row. */
export function turnIsOver(): boolean {
  const now = performance.now();
  if (began !== undefined) return now - began >= TURN;
  began = now;
  schedule();
  return false;
}

/** Milliseconds of this turn of the loop used by long work. */
export function turnTime(): number {
  return began === undefined ? 0 : performance.now() - began;
}

/** Resolves in a later turn of the loop, in the order of the calls. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

/** Runs a generator that yields every few items to its end, and gives the loop back whenever its turn is over. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (turnIsOver()) await nextTurn();
  }
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(turn);
}

function turn(): void {
  scheduled = false;
  began = undefined;
  const resume = waiting.shift();
  if (resume === undefined) return;
  began = performance.now();
  schedule();
  resume();
}
