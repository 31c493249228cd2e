import { existsSync, openSync, readSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { STATE_DIR } from '../stack/stack.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

const FIRST_BYTES = 16_384
const LOOK_MS = 250

/** `npm run logs [-- name] [-f]`: prints the end of one log or of all logs. With -f, keeps printing new lines. */
export const logs: Command = async args => {
  const follow = args.includes('-f')
  const names = args.filter(arg => arg !== '-f')
  const files = logFiles(names)
  if (files.length === 0) {
    process.stderr.write(`No logs ${names.length > 0 ? `of ${names.join(', ')}` : 'yet'} in ${STATE_DIR}/logs.\n`)
    return 1
  }
  const readers = files.map(file => createReader(file, files.length > 1 ? `${basename(file, '.log').padEnd(14)} ` : ''))
  for (const read of readers) process.stdout.write(read())
  if (!follow) return 0
  const interrupted = untilInterrupted()
  while (!interrupted.aborted) {
    await sleep(LOOK_MS, undefined, { signal: interrupted }).catch(() => {})
    for (const read of readers) process.stdout.write(read())
  }
  return 0
}

function logFiles(names: string[]): string[] {
  const folder = join(STATE_DIR, 'logs')
  if (!existsSync(folder)) return []
  const isWanted = (file: string) => names.length === 0 || names.includes(basename(file, '.log'))
  return readdirSync(folder)
    .filter(file => file.endsWith('.log') && isWanted(file))
    .map(file => join(folder, file))
}

/** Returns a function that returns the complete lines added since its last call, each with `prefix`. */
function createReader(file: string, prefix: string): () => string {
  const handle = openSync(file, 'r')
  let position = Math.max(0, statSync(file).size - FIRST_BYTES)
  let rest = ''
  return () => {
    const size = statSync(file).size
    const buffer = Buffer.alloc(Math.max(0, size - position))
    position += readSync(handle, buffer, 0, buffer.length, position)
    const lines = (rest + buffer.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    return lines.map(line => `${prefix}${line}\n`).join('')
  }
}
