import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { APICallError } from '@ai-sdk/provider'
import { DatabaseError } from 'pg'
import { createLog } from '../../observability/log.ts'

const SECRET = 'value-of-a-row'

function writeLine(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = []
  const settings = { LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: undefined } as const
  write(createLog(settings, 'api', { write: line => void lines.push(line) }))
  return JSON.parse(lines.join('')) as Record<string, unknown>
}

test('a line contains an ISO time, a level name, the process and the message', () => {
  const line = writeLine(log => log.warn({ job_id: 'one' }, 'a message'))
  expect(line).toEqual({ level: 'warn', time: expect.any(String), process: 'api', job_id: 'one', msg: 'a message' })
  expect(new Date(String(line['time'])).toISOString()).toBe(line['time'])
})

test.each([
  [
    'a database error',
    Object.assign(new DatabaseError('duplicate key', 1, 'error'), { code: '23505', detail: `Key (slug)=(${SECRET})` }),
  ],
  ['a Redis error', Object.assign(new Error('OOM'), { command: { name: 'xadd', args: [SECRET] } })],
  [
    'a provider error',
    new APICallError({ message: 'refused', url: 'https://host', requestBodyValues: { prompt: SECRET } }),
  ],
  ['the cause of an error', new Error('outer', { cause: Object.assign(new Error('inner'), { detail: SECRET }) })],
])('%s is logged without its request and values', (_, err) => {
  const line = writeLine(log => log.error({ err }, 'failed'))
  expect(JSON.stringify(line)).not.toContain(SECRET)
  expect(line['err']).toMatchObject({
    type: expect.any(String),
    message: expect.any(String),
    stack: expect.any(String),
  })
})

test('an error code and the messages of causes are logged', () => {
  const cause = new Error('connection refused')
  const line = writeLine(log =>
    log.error({ err: Object.assign(new Error('outer', { cause }), { code: 'X' }) }, 'failed'),
  )
  expect(line['err']).toMatchObject({ message: 'outer: connection refused', code: 'X' })
})

describe('the page about logs', () => {
  const ROOT = join(import.meta.dirname, '../..')
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const sources = globSync('{api,activities,services,streams,observability,workflows}/**/*.ts', { cwd: ROOT }).map(read)

  /** The names in the first columns of the tables about fields. */
  const listed = new Set(
    [...read('docs/operate/logs.md').matchAll(/^## .*fields.*\n([\s\S]*?)(?=^## )/gim)]
      .flatMap(([, section = '']) => section.match(/^\| `.*?` +\|/gm) ?? [])
      .flatMap(cell => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
  )

  test('lists the fields that the code logs', () => {
    const CALL = /\b[lL]og(?:\.\w+|\[[^;]*?\])\(\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g
    const fields = sources.flatMap(source =>
      [...source.matchAll(CALL)].flatMap(([, body = '']) =>
        body
          .replaceAll(/\{[^{}]*\}|\([^()]*\)/g, '')
          .split(',')
          .flatMap(part => part.trim().match(/^\w+/)?.[0] ?? []),
      ),
    )
    expect(new Set(fields).size).toBeGreaterThan(35)
    expect(fields.filter(name => !listed.has(name))).toEqual([])
  })

  test('lists no other fields', () => {
    const isUsed = (name: string) => sources.some(source => new RegExp(`\\b${name}\\b`).test(source))
    const levels = new Set(['error', 'warn', 'info', 'debug'])
    const common = new Set(['level', 'time', 'process', 'msg'])
    expect([...listed].filter(name => !levels.has(name) && !common.has(name) && !isUsed(name))).toEqual([])
  })
})
