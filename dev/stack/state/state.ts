import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const processId = z.object({ pid: z.number().int(), started: z.string() })
const entry = z.object({
  how: z.enum(['native', 'docker']),
  /** Native components only: the process that was started. */
  process: processId.optional(),
  /** Settings that the component adds to the environment. */
  env: z.record(z.string(), z.string()),
  since: z.string(),
  /** True if the component outlives the command that started it. */
  stays: z.boolean(),
})
const schema = z.object({
  ports: z.record(z.string(), z.number().int()),
  running: z.record(z.string(), entry),
  /** Commands that use the stack. The last command to end stops the stack. */
  leases: z.array(processId).default([]),
})

export type RunningProcess = z.infer<typeof entry>
export type State = z.infer<typeof schema>

const EMPTY: State = { ports: {}, running: {}, leases: [] }

/**
 * Reads `<state directory>/state.json`. An unreadable file is treated as empty, because its content can be restored.
 */
export function readState(stateDir: string): State {
  const file = join(stateDir, 'state.json')
  if (!existsSync(file)) return structuredClone(EMPTY)
  const parsed = schema.safeParse(parse(readFileSync(file, 'utf8')))
  return parsed.success ? parsed.data : structuredClone(EMPTY)
}

/** Changes the state atomically, by writing a new file and renaming it. Returns the new state. */
export function changeState(stateDir: string, change: (state: State) => void): State {
  const state = readState(stateDir)
  change(state)
  writePrivate(join(stateDir, 'state.json'), JSON.stringify(state, null, 2))
  return state
}

/** Writes a file atomically. Only the owner can read the file. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, `${text}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
