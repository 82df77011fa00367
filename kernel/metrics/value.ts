/** What counters and gauges measure. */
import type { Series } from './metric.js';

export class Value implements Series {
  now = 0;

  samples(): ReturnType<Series['samples']> {
    return [['', {}, this.now]];
  }
}
