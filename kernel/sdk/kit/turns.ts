/**
 * Long work on the event loop, cut into turns of a few milliseconds. A turn of the loop has room for one of them,
 * whoever's it is: a hundred requests that each give the loop back in time would still hold all others up for a
 * hundred turns. The state is the module's, as the loop is the process's.
 */

/** Milliseconds. */
const TURN = 4;

/** When long work began to use this turn of the loop. */
let began: number | undefined;
const waiting: (() => void)[] = [];
let scheduled = false;

/** Whether long work has used this turn of the loop up: then it awaits `nextTurn`. Cheap enough for each row. */
export function turnIsOver(): boolean {
  const now = performance.now();
  if (began !== undefined) return now - began >= TURN;
  began = now;
  schedule();
  return false;
}

/** The milliseconds for which long work has used this turn of the loop. */
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

/** Runs work that yields every few items to its end, and gives the loop back whenever its turn is over. */
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
