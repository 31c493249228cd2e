import type { Body } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, type CommandSpec, type GlobalOptions, option, readValue, repeated } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'
import { followAndPrint } from '../runs/follow.ts'

const options = { resource_id: '--resource <id>' } as const

/** Requests a map as Markdown for people, or as JSON if `--json` is set. */
const fields = ({ json, jsonLines }: GlobalOptions) => ({ format: json || jsonLines ? 'json' : 'markdown' })

/** `stakeholders`. */
export const add = (program: Command): Command =>
  addGroup(program, 'stakeholders', [
    operation('stakeholders.latest', {
      name: 'show',
      summary: 'Show the latest version of the map',
      example: 'stakeholders show --json',
      options,
      fields,
    }),
    operation('stakeholders.diff', {
      name: 'diff <from> <to>',
      summary: 'Compare two versions of the map; live is the latest',
      options,
      fields,
    }),
    operation('stakeholders.briefing', {
      name: 'briefing <node>',
      summary: 'Show a briefing about a stakeholder',
      options,
      fields,
    }),
    {
      name: 'graph',
      summary: 'Print a diagram of the map',
      example: 'stakeholders graph > map.svg',
      options: [
        option('--resource <id>', "id or slug of the map; default: the brain's default map"),
        option('--format <format>', 'output format').choices(['svg', 'mermaid', 'graphml']).default('svg'),
      ],
      run: async (context, _, { resource: resource_id, format }: { resource?: string; format: 'svg' }) => {
        const { stakeholders } = await context.client()
        const graph = await (await stakeholders.graph({ resource_id, format })).text()
        await context.print({ format, graph }, () => graph)
      },
    },
    extractCommand,
  ])

interface ExtractOptions {
  resource?: string
  text?: string
  model?: string
  assignee?: string[]
  detach?: boolean
}

const extractCommand: CommandSpec<ExtractOptions> = {
  name: 'extract [kind/slug]',
  summary: 'Propose map changes from a document, meeting or text, for approval',
  example: 'stakeholders extract meetings/kick-off\nstakeholders extract --text @minutes.md --assignee user:ann',
  options: [
    option('--text <text>', 'text to use instead of a document: text, @file, or - for stdin'),
    option('--resource <id>', "id or slug of the map; default: the brain's default map"),
    option('--model <name>', 'model to use; default: the default model of the installation'),
    repeated('--assignee <name>', 'person who may approve, such as user:ann; repeatable'),
    option('--detach', 'print the job id without waiting'),
  ],
  run: async (context, [source], { resource, text, model, assignee, detach }) => {
    if ((source === undefined) === (text === undefined))
      throw usageError('Enter a document as kind/slug, or use --text')
    const [kind = '', id] = source?.split('/') ?? []
    if (source !== undefined && !id) throw usageError('Enter the document as kind/slug, such as meetings/kick-off')
    const client = await context.client()
    const body = {
      resource_id: resource,
      ...(source === undefined ? { text: await readValue(text ?? '') } : { source: { type: kind, id } }),
      model,
      assignees: assignee,
    }
    const { job_id } = await client.stakeholders.extract(body as Body<'stakeholders.extract'>)
    await followAndPrint(context, client, client.jobs.run(job_id), { detach })
  },
}
