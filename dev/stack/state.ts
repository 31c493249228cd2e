import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const processId = z.object({ pid: z.number().int(), started: z.string() })
const entry = z.object({
  how: z.enum(['native', 'docker']),
  /** Native: the process that was started. */
  process: processId.optional(),
  /** What the component gives to the environment of the house. */
  env: z.record(z.string(), z.string()),
  since: z.string(),
  /** True when it stays after the command that started it has ended. */
  stays: z.boolean(),
})
const schema = z.object({
  ports: z.record(z.string(), z.number().int()),
  running: z.record(z.string(), entry),
  /** Commands that are using what runs; the last one to leave stops it. */
  holders: z.array(processId),
})

export type Running = z.infer<typeof entry>
export type State = z.infer<typeof schema>

const EMPTY: State = { ports: {}, running: {}, holders: [] }

/** What `<home>/state.json` says; an unreadable one counts as empty, since all of it can be found again. */
export function readState(home: string): State {
  const file = join(home, 'state.json')
  if (!existsSync(file)) return structuredClone(EMPTY)
  const parsed = schema.safeParse(parse(readFileSync(file, 'utf8')))
  return parsed.success ? parsed.data : structuredClone(EMPTY)
}

/** Changes the state in one step: read, change, write to a new file, rename. Gives what it then is. */
export function changeState(home: string, change: (state: State) => void): State {
  const state = readState(home)
  change(state)
  writePrivate(join(home, 'state.json'), JSON.stringify(state, null, 2))
  return state
}

/** Writes a file only its owner may read, in one step. */
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
