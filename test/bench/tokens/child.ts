import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A benchmark process that executes tasks sequentially. */
export interface Child<Task extends object> {
  /** Throws the error that the child process reports. */
  ask<T = undefined>(task: Task): Promise<T>
  end(): Promise<void>
}

type Reply = { result?: unknown; error?: string }

/** @param entry a file of this folder that calls `obey` */
export function startChild<Task extends object>(entry: string, env: Record<string, string>): Child<Task> {
  const child = fork(join(import.meta.dirname, entry), { env: { PATH: process.env.PATH, ...env } })
  const exited = once(child, 'exit').then(([code]): Reply => ({ error: `${entry} ended with ${code}` }))
  return {
    async ask<T>(task: Task) {
      const answered = once(child, 'message').then(([reply]) => reply as Reply)
      child.send(task)
      const { result, error } = await Promise.race([answered, exited])
      if (error !== undefined) throw new Error(error)
      return result as T
    },
    async end() {
      child.kill()
      await exited
    },
  }
}

/** The child's side: executes each incoming task and reports the outcome. */
export function obey(work: (task: never) => Promise<unknown>): void {
  const reply = (answer: Reply) => process.send?.(answer)
  process.on('message', task => {
    work(task as never).then(
      result => reply({ result }),
      (error: unknown) => reply({ error: String(error) }),
    )
  })
}
