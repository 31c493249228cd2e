import { workerData } from 'node:worker_threads'
import { OUT_OF_MEMORY_SIGNAL } from './signals.ts'

/**
 * Watches its process from a thread of its own, which a busy parser can not hold up: ends it when it takes too much
 * memory, of any kind, or when the worker it works for is gone.
 */
const INTERVAL_MS = 20
const { memoryBytes } = workerData as { memoryBytes: number }
const worker = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL)
  if (process.ppid !== worker) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
