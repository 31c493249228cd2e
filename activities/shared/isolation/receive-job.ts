import { Worker } from 'node:worker_threads'
import { refuseNetwork } from './refuse-network.ts'
import { readRequest } from './wire.ts'

/** Node's types do not include this yet. */
interface DroppablePermissions {
  drop(scope: 'fs.write' | 'worker'): void
}

/**
 * Returns the job and the bytes with which the isolated process was started. Afterwards, the process can no longer
 * write files, start threads or open connections. The process terminates itself if it exceeds the job's `memoryBytes`
 * or if its parent exits.
 */
export function receiveJob(): ReturnType<typeof readRequest> {
  // When the worker is stopped, these signals reach the whole process group. The worker decides when this process
  // ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const request = readRequest()
  startWatch(request.job.memoryBytes)
  const permissions = process.permission as unknown as DroppablePermissions
  // A thread would have all permissions with which the process was started.
  permissions.drop('worker')
  permissions.drop('fs.write')
  refuseNetwork()
  return request
}

const startWatch = (memoryBytes: number): Worker =>
  new Worker(new URL('watch.ts', import.meta.url), { workerData: { memoryBytes } })
