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

/** `run`: starts a pathway and follows it. */
export function add(program: Command): void {
  addCommand<RunOptions>(program, {
    name: 'run [pathway]',
    example:
      'run invoice-approval -i amount=1200 -i customer=acme\nrun invoice-approval --input @invoice.json --detach\nrun --file flows/pathways/hello.yaml -i name=Ann',
    options: [
      option('-f, --file <file>', 'run the pathway of this file, or - for stdin, without saving it'),
      repeated('-i, --field <name=value>', 'a field of the input, as JSON, text, or the text of @file; repeatable'),
      ...inputOptions('the whole input'),
      option('--follow', 'show the steps and the text while the run goes (the default)'),
      option('--detach', 'print the job and do not wait'),
      repeated(
        '--answer <id=answer>',
        'answers a question of the run, by the id of the intervention or of its node: approve, reject, or the data of a form as JSON or @file; repeatable',
      ),
      option('--idempotency-key <key>', 'starts one run however often the command is repeated with it'),
    ],
    run: async (context, [pathway], options) => {
      const client = await context.client()
      if ((pathway === undefined) === (options.file === undefined))
        throw usageError('Give a pathway, or a file with --file')
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
  if (definition === undefined) throw usageError(`${file} has no definition`)
  const body = { pathway: definition as PathwayDefinition, ...(input !== undefined && { input }) }
  const { job_id } = await client.jobs.start(body, options)
  return client.jobs.run(job_id)
}

/** Reads the input of a run: `--input`, with its fields replaced by those of `--field`. */
async function readFields({ field, ...options }: RunOptions): Promise<unknown> {
  const whole = await readInput(options)
  if (!field) return whole
  if (whole !== undefined && (typeof whole !== 'object' || whole === null || Array.isArray(whole)))
    throw usageError('Fields can be added to an object only')
  const fields = await Promise.all(field.map(parsePair).map(async ([name, value]) => [name, await readField(value)]))
  return { ...whole, ...(Object.fromEntries(fields) as object) }
}

/** JSON where it is, else a text; the text of a file for @file. */
async function readField(text: string): Promise<unknown> {
  if (text.startsWith('@')) return readValue(text)

  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
