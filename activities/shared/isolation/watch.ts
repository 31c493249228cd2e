import { workerData } from 'node:worker_threads'
import { OUT_OF_MEMORY_SIGNAL } from './signals.ts'

/**
 * Watches the process from a thread, which a busy parser cannot block. Terminates the process if it exceeds the
 * memory limit or if its parent exits.
 */
const INTERVAL_MS = 20
const { memoryBytes } = workerData as { memoryBytes: number }
const parent = process.ppid

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL)
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
