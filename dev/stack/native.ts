import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, killProcess, launch } from '../machine/process.ts'
import type { Launch, ProcessId } from '../machine/process.ts'
import { untilReady } from './watch/wait.ts'

const LOG_LIMIT = 10_000_000
const TAIL_BYTES = 4000

export interface NativeStart {
  name: string
  logs: string
  launch: Launch
  check: () => Promise<void>
  readySeconds: number
  /**
   * Called as soon as the process is running, before it is ready. The caller can then record every process that was
   * started.
   */
  onProcess: (id: ProcessId) => void
  interrupted?: AbortSignal
}

/**
 * Starts a process and waits until it responds. If it doesn't, ends the process and throws an error that contains the
 * log.
 */
export async function startNative(start: NativeStart): Promise<ProcessId> {
  const logFile = join(start.logs, `${start.name}.log`)
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`)
  const before = existsSync(logFile) ? statSync(logFile).size : 0
  const id = await launch(start.launch, logFile)
  start.onProcess(id)
  try {
    await untilReady(start.check, start.readySeconds, () => isRunning(id) && !start.interrupted?.aborted)
  } catch (error) {
    await killProcess(id)
    start.interrupted?.throwIfAborted()
    throw new Error(`${start.name} did not start: ${(error as Error).message}\n${tail(logFile, before)}`, {
      cause: error,
    })
  }
  return id
}

/** Returns the end of the text that was added to a log after its first `from` bytes. */
function tail(file: string, from: number): string {
  const size = statSync(file).size
  const start = Math.max(from, size - TAIL_BYTES)
  const buffer = Buffer.alloc(Math.max(0, size - start))
  const handle = openSync(file, 'r')
  readSync(handle, buffer, 0, buffer.length, start)
  closeSync(handle)
  return `${file}:\n${buffer.toString('utf8').trim()}`
}
