import type { Ganglion, PathwayDefinition, RequestOptions, Run } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, inputOptions, option, readInput, readValue, repeated } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { readOne } from '../resources/files.ts'
import { followAndPrint } from './follow.ts'
import { parseGivenAnswer, parsePair } from '../people/questions.ts'

interface RunOptions {
  file?: string
  input?: string
  data?: string
  field?: string[]
  detach?: boolean
  follow?: boolean
  answer?: string[]
  idempotencyKey?: string
}

/** Adds the `run` command, which starts a pathway run and follows it. */
export function add(program: Command): void {
  addCommand<RunOptions>(program, {
    name: 'run [pathway]',
    example:
      'run invoice-approval -i amount=1200 -i customer=acme\nrun invoice-approval --input @invoice.json --detach\nrun --file flows/pathways/hello.yaml -i name=Ann',
    options: [
      option('-f, --file <file>', 'run the pathway in this file (- for stdin) without saving it'),
      repeated('-i, --field <name=value>', 'input field, as JSON, text, or text from @file; repeatable'),
      ...inputOptions('whole input'),
      option('--follow', 'show steps and text while the run is in progress (default)'),
      option('--detach', 'print the job id without waiting'),
      repeated(
        '--answer <id=answer>',
        'answer a task, by intervention id or node id: approve, reject, or form data as JSON or @file; repeatable',
      ),
      option('--idempotency-key <key>', 'start only one run, even if the command is repeated with the same key'),
    ],
    run: async (context, [pathway], options) => {
      const client = await context.client()
      if ((pathway === undefined) === (options.file === undefined))
        throw usageError('Enter a pathway, or a file with --file')
      const answers = new Map(await Promise.all((options.answer ?? []).map(parseGivenAnswer)))
      const input = await readFields(options)
      const { idempotencyKey, detach } = options
      const runOptions = { ...(input !== undefined && { input }), idempotencyKey }
      const run =
        options.file === undefined
          ? await client.pathways.run(pathway ?? '', runOptions)
          : await startFile(client, options.file, input, { idempotencyKey })
      await followAndPrint(context, client, run, { answers, detach })
    },
  })
}

async function startFile(client: Ganglion, file: string, input: unknown, options: RequestOptions): Promise<Run> {
  const { definition } = (await readOne(file, 'pathways')).fields
  if (definition === undefined) throw usageError(`${file} does not contain a definition`)
  const body = { pathway: definition as PathwayDefinition, ...(input !== undefined && { input }) }
  const { job_id } = await client.jobs.start(body, options)
  return client.jobs.run(job_id)
}

/** Reads the input of a run from `--input`. The fields in `--field` override it. */
async function readFields({ field, ...options }: RunOptions): Promise<unknown> {
  const whole = await readInput(options)
  if (!field) return whole
  if (whole !== undefined && (typeof whole !== 'object' || whole === null || Array.isArray(whole)))
    throw usageError('--field requires an input that is a JSON object')
  const fields = await Promise.all(field.map(parsePair).map(async ([name, value]) => [name, await readField(value)]))
  return { ...whole, ...(Object.fromEntries(fields) as object) }
}

/** Parses the text as JSON if possible. Otherwise returns the text, or the file's text for @file. */
async function readField(text: string): Promise<unknown> {
  if (text.startsWith('@')) return readValue(text)

  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
