/** Updates the same documents without end, at a bounded rate. */
import { definePlugin, STORAGE, Type, type Document } from 'plugboard/sdk';

interface Row extends Document {
  readonly n: number;
  readonly text: string;
}

const DOCUMENTS = 2000;
const PAUSE_MS = 100;
/** Updates between two pauses: some alone, most together. */
const TOGETHER = 20;

export default definePlugin({
  name: 'updating',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE },
  setup({ needs, signal, log, onStop }) {
    const rows = needs.storage.collection<Row>({ name: 'rows', indexes: [{ keys: { n: 1 } }] });
    let updating = Promise.resolve();
    onStop(() => updating);
    return {
      start: async () => {
        await rows.changes();
        for (let at = 0; at < DOCUMENTS; at++)
          await rows.replaceOne({ _id: idAt(at) }, row(at, 0), { upsert: true });
        updating = update().catch((error: unknown) => log.fatal({ err: error }, 'an update failed'));
      },
    };

    async function update(): Promise<void> {
      for (let turn = 0; !signal.aborted; turn++) {
        await Promise.all(
          Array.from({ length: TOGETHER }, (_, more) => {
            const at = (turn * TOGETHER + more) % DOCUMENTS;
            return rows.replaceOne({ _id: idAt(at) }, row(at, turn));
          }),
        );
        await rows.updateOne({ _id: idAt(turn % DOCUMENTS) }, { $inc: { n: 1 } });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  },
});

function idAt(at: number): string {
  return `row${at}`;
}

/** Of different lengths: places that are freed do not fit what comes next. */
function row(at: number, turn: number): Row {
  return { _id: idAt(at), n: turn, text: 'some words '.repeat(10 + ((at * 31 + turn * 17) % 90)) };
}
