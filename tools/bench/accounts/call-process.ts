/** The process that calls a side, as the run sees it. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Order, Report } from './caller.js';
import type { SideSpec } from './sides.js';

/** A process of `caller.ts`. */
export class Caller {
  readonly #child: ChildProcess;
  readonly opened: Promise<Report>;

  constructor(side: SideSpec, width: number) {
    this.#child = fork(join(import.meta.dirname, 'caller.js'));
    this.opened = this.#obey({ do: 'open', side, width });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** `calls`: so many at least, however long they take. */
  call(what: 'create' | 'retrieve', milliseconds: number, calls = 0): Promise<Report> {
    return this.#obey({ do: what, milliseconds, calls });
  }

  end(): void {
    this.#child.disconnect();
  }

  #obey(order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      const failed = (): void => reject(new Error('a caller failed'));
      this.#child.once('exit', failed);
      this.#child.once('message', (report) => {
        this.#child.off('exit', failed);
        resolve(report as Report);
      });
      this.#child.send(order);
    });
  }
}
