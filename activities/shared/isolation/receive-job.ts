import { Worker } from 'node:worker_threads'
import { refuseNetwork } from './refuse-network.ts'
import { readRequest } from './wire.ts'

/** Not yet in the types of Node. */
interface DroppablePermissions {
  drop(scope: 'fs.write' | 'worker'): void
}

/**
 * Returns the job and the bytes that an isolated process was started with. From then on the process can't write files,
 * start threads or connect to anything. It ends itself when it takes more than the job's `memoryBytes`, or when its parent
 * is gone.
 */
export function receiveJob(): ReturnType<typeof readRequest> {
  // These reach the whole process group when the worker is stopped; the worker decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const request = readRequest()
  startWatch(request.job.memoryBytes)
  const permissions = process.permission as unknown as DroppablePermissions
  // A thread would have all permissions that the process was started with.
  permissions.drop('worker')
  permissions.drop('fs.write')
  refuseNetwork()
  return request
}

const startWatch = (memoryBytes: number): Worker =>
  new Worker(new URL('watch.ts', import.meta.url), { workerData: { memoryBytes } })
