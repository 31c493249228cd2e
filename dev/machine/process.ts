import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendants, identify } from './process-table.ts'
import type { UserId } from './shell.ts'

/**
 * Identifies a process even if its pid is reused. `started` is the start time as reported by the operating system,
 * combined with the machine's boot id.
 */
export interface ProcessId {
  pid: number
  started: string
}

export interface Launch {
  command: string
  args: string[]
  cwd?: string
  env?: Record<string, string | undefined>
  user?: UserId
}

/** Starts a process in its own process group, so that it outlives this process. Appends its output to `logFile`. */
export async function launch(spec: Launch, logFile: string): Promise<ProcessId> {
  const output = openSync(logFile, 'a', 0o600)
  try {
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: { ...process.env, ...spec.env },
      stdio: ['ignore', output, output],
      detached: true,
      ...(spec.user && { uid: spec.user.uid, gid: spec.user.gid }),
    })
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    child.unref()
    const id = child.pid === undefined ? undefined : identify(child.pid)
    if (!id) throw new Error(`${spec.command} ended immediately; see ${logFile}`)
    return id
  } finally {
    closeSync(output)
  }
}

/**
 * Returns true while this exact process is running. Returns false for an ended process, a zombie, or another process
 * with the same pid.
 */
export const isRunning = (id: ProcessId): boolean => identify(id.pid)?.started === id.started

/** Asks a process to end. After `graceMs`, kills the process and all its child processes. */
export async function stopProcess(id: ProcessId, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  if (!isRunning(id)) return
  const family = descendants(id.pid)
  send(id, signal)
  if (!(await endsWithin(id, graceMs))) await killProcess(id)
  for (const child of family) send(child, 'SIGKILL')
}

/**
 * Sends kill -9 to a process and all its child processes, which simulates a power failure. Returns when the process
 * is gone. A zombie still holds its pid, and a restarting Postgres would therefore consider the old lock file valid.
 * The function waits until the parent has collected the zombie, but only for a limited time, because a hanging parent
 * never does.
 */
export async function killProcess(id: ProcessId): Promise<void> {
  if (!isRunning(id)) return
  const family = descendants(id.pid)
  send(id, 'SIGKILL')
  for (const child of family) send(child, 'SIGKILL')
  await Promise.all([id, ...family].map(member => endsWithin(member, 10_000)))
  await within(5000, () => !hasPid(id.pid))
}

const endsWithin = (id: ProcessId, ms: number): Promise<boolean> => within(ms, () => !isRunning(id))

async function within(ms: number, holds: () => boolean): Promise<boolean> {
  const deadline = Date.now() + ms
  while (!holds()) {
    if (Date.now() > deadline) return false
    await sleep(25)
  }
  return true
}

function hasPid(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function send(id: ProcessId, signal: NodeJS.Signals): void {
  if (!isRunning(id)) return
  try {
    process.kill(id.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
