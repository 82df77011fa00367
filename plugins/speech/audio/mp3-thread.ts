/** A thread that encodes blocks of sound, one after another. */
import { parentPort } from 'node:worker_threads';
import { openLame } from './lame.js';

export interface BlockJob {
  readonly pcm: Int16Array;
  readonly sampleRate: number;
}

const lame = openLame();

parentPort?.on('message', ({ pcm, sampleRate }: BlockJob) => {
  void lame.then((encoder) => {
    encoder.begin(sampleRate);
    const parts: Buffer[] = [];
    for (let at = 0; at < pcm.length; at += encoder.most)
      parts.push(encoder.encode(pcm.subarray(at, at + encoder.most)));
    parts.push(encoder.finish());
    parentPort?.postMessage(new Uint8Array(Buffer.concat(parts)));
  });
});
