import type { Command } from 'commander'
import { addCommand, option, readJson, repeated } from './command.ts'
import { CliError, EXIT, usageError } from './exit.ts'
import { writeLine } from './output.ts'
import { parsePair } from '../people/questions.ts'

interface ApiOptions {
  field?: string[]
  input?: string
  paginate?: boolean
  query?: string
  idempotencyKey?: string
}

/** Adds the `api` command, which sends any API request. */
export function add(program: Command): void {
  addCommand<ApiOptions>(program, {
    name: 'api <method> <path>',
    example:
      'api GET /v1/config -q /models/0/id\napi POST /v1/search -f query=leave\napi GET /v1/jobs --paginate --json=lines',
    options: [
      repeated('-f, --field <name=value>', 'body field (query parameter for GET), as JSON or text; repeatable'),
      option('--input <json>', 'body: JSON, @file, or - for stdin'),
      option('--paginate', 'fetch all pages of a list, as one array or as JSON lines'),
      option('-q, --query <pointer>', 'print only the part at this JSON pointer'),
      option('--idempotency-key <key>', 'take effect only once, even if the request is repeated with the same key'),
    ],
    run: async (
      context,
      [methodArg = '', path = ''],
      { field = [], input, paginate, query: pointer, idempotencyKey },
    ) => {
      const method = methodArg.toUpperCase()
      if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) throw usageError(`${methodArg} is not an HTTP method`)
      if (!path.startsWith('/')) throw usageError('Start the path with a slash, such as /v1/jobs')
      const client = await context.client()
      const fields = Object.fromEntries(field.map(parsePair).map(([name, value]) => [name, parse(value)]))
      const body = input === undefined ? (field.length > 0 ? fields : undefined) : ((await readJson(input)) as object)
      const send = (query: object) =>
        client.request(method, path, method === 'GET' ? { query: { ...fields, ...query } } : { body }, {
          idempotencyKey,
        })
      if (!paginate) {
        const value = point(await send({}), pointer)
        if (value === undefined && pointer) throw nothingError(pointer)
        return context.show(value)
      }
      const items: unknown[] = []
      for (;;) {
        const page = readPage(await send({ offset: items.length, limit: 200 }))
        items.push(...page.data)
        if (context.format === 'lines') for (const item of page.data) await writeLine(point(item, pointer) ?? null)
        if (page.data.length === 0 || items.length >= page.total) break
      }
      const values = items.map(item => point(item, pointer))
      if (pointer && values.length > 0 && values.every(value => value === undefined)) throw nothingError(pointer)
      if (context.format !== 'lines') await context.show(values)
    },
  })
}

function readPage(reply: unknown): { data: unknown[]; total: number } {
  const { data, jobs, pagination, total } = (reply ?? {}) as {
    data?: unknown[]
    jobs?: unknown[]
    total?: number
    pagination?: { total: number }
  }
  const items = jobs ?? data
  if (!items) throw new CliError(EXIT.error, 'The response is not a list')
  return { data: items, total: total ?? pagination?.total ?? 0 }
}

const nothingError = (pointer: string) => new CliError(EXIT.notFound, `The response has no value at ${pointer}`)

/** Returns undefined if there is no value at the pointer. */
function point(value: unknown, pointer = ''): unknown {
  const [, ...parts] = pointer.replace(/^(?!\/|$)/, '/').split('/')
  return parts
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, key) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, key)
          ? (part as Record<string, unknown>)[key]
          : undefined,
      value,
    )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
