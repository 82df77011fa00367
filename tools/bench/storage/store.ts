/** One store in a process of its own, as an application has it: it runs the tasks that `run.ts` names. */
import { STORES } from './peers.js';
import { load, tasks } from './tasks.js';

const [name = '', folder = '', documents = '', url = ''] = process.argv.slice(2);
const all = tasks(Number(documents));
const open = STORES[name];
if (open === undefined) throw new Error(`there is no store "${name}"`);
const subject = await open(folder, url);
await load(subject, Number(documents));
process.send?.('ready');

process.on('message', (at: number) => {
  void answer(at);
});

async function answer(at: number): Promise<void> {
  const task = all[at];
  if (task === undefined) {
    await subject.close();
    process.exit(0);
  }
  const began = performance.now();
  await task.run(subject);
  process.send?.(((performance.now() - began) * 1000) / task.operations);
}
