import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Socket } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { receiveJob } from '../../../../activities/shared/isolation/receive-job.ts'
import { sendJson } from '../../../../activities/shared/isolation/wire.ts'

/** An isolated process that attempts everything a document must not cause, and reports the outcomes. */
interface Job {
  /** A folder outside the code, with the file `secret`. */
  folder: string
  /** The process that started this one. */
  parent: number
  /** A port on which a server listens. */
  port: number
}
const { folder, parent, port } = receiveJob().job as unknown as Job

const toCode = (error: unknown): string => {
  const { code, cause } = error as NodeJS.ErrnoException
  return code ?? (cause === undefined ? String(error) : toCode(cause))
}

const attempt = async (act: () => unknown): Promise<string> => {
  try {
    await act()
    return 'done'
  } catch (error) {
    return toCode(error)
  }
}

const require = createRequire(import.meta.url)
const stream = process.stderr as unknown as { constructor: new () => Socket }

sendJson(0, {
  // Some shells set `_` to the program path.
  environment: Object.keys(process.env).filter(name => name !== '_'),
  write: await attempt(() => writeFileSync(join(folder, 'written'), '')),
  thread: await attempt(() => new Worker('', { eval: true })),
  process: await attempt(() => spawnSync(process.execPath, ['--version'])),
  read: await attempt(() => readFileSync(join(folder, 'secret'))),
  parentEnvironment: await attempt(() => readFileSync(`/proc/${parent}/environ`)),
  parentFiles: await attempt(() => readFileSync(`/proc/${parent}/fd/0`)),
  firstEnvironment: await attempt(() => readFileSync('/proc/1/environ')),
  fetch: await attempt(() => fetch(`http://127.0.0.1:${port}/`)),
  import: await attempt(() => import('node:net')),
  require: await attempt(() => require('dns')),
  builtin: await attempt(() => process.getBuiltinModule('dgram')),
  socket: await attempt(() => new stream.constructor().connect(port, '127.0.0.1')),
})
process.exit(0)
