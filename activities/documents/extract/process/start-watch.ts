import { Worker } from 'node:worker_threads'

/** From here on this process ends itself when it takes more memory, or when its parent is gone. */
export function startWatch(memoryBytes: number): Worker {
  return new Worker(new URL('watch.ts', import.meta.url), { workerData: { memoryBytes } })
}
