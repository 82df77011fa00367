/** A process that calls one side, so many calls at a time, for as long as it is told to. */
import { openSide, type Side, type SideSpec } from './sides.js';

export type Order =
  | { readonly do: 'open'; readonly side: SideSpec; readonly width: number }
  | { readonly do: 'create' | 'retrieve'; readonly milliseconds: number; readonly calls?: number };

export interface Report {
  readonly calls: number;
  readonly milliseconds: number;
}

/** Retrieves are spread over as many accounts. */
const KEPT = 20_000;

let side: Side | undefined;
let width = 1;
const ids: string[] = [];

async function obey(order: Order): Promise<Report> {
  if (order.do === 'open') {
    width = order.width;
    side = await openSide(order.side, width);
    return { calls: 0, milliseconds: 0 };
  }
  const opened = side;
  if (opened === undefined) throw new Error('nothing is open');
  let calls = 0;
  const begun = performance.now();
  const until = begun + order.milliseconds;
  const { calls: least = 0 } = order;
  const worker = async (_: unknown, at: number): Promise<void> => {
    for (; performance.now() < until || calls < least; calls += 1) {
      if (order.do === 'retrieve') await opened.retrieve(at, ids[(calls * 7_919) % ids.length] ?? '');
      else ids[calls % KEPT] = await opened.create(at);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return { calls, milliseconds: performance.now() - begun };
}

process.on('message', (order: Order) => {
  obey(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
