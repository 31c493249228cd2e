import type { Body } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, addGroup, option, readValue, repeated } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { followAndPrint } from '../runs/follow.ts'

/** `stakeholders`. */
export function addStakeholders(program: Command): void {
  const group = addGroup(program, 'stakeholders')
  addReads(group)
  addExtract(group)
}

const map = () => option('--resource <id>', 'the map, by id or slug; by default that of the brain')

/** A map as Markdown for people, as JSON where that is asked for. */
function addReads(group: Command): void {
  const commands: [name: string, summary: string, example: string, toPath: (args: string[]) => string][] = [
    ['show', 'Show the latest version of the map', 'stakeholders show --json', () => '/v1/stakeholders/latest'],
    [
      'diff <from> <to>',
      'Compare two versions of the map; live is the latest',
      'stakeholders diff 1 live',
      ([from = '', to = '']) => `/v1/stakeholders/diff?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`,
    ],
    [
      'briefing <node>',
      'Show what is known of one stakeholder',
      'stakeholders briefing ann',
      ([node = '']) => `/v1/stakeholders/${encodeURIComponent(node)}/briefing`,
    ],
  ]
  for (const [name, summary, example, toPath] of commands)
    addCommand<{ resource?: string }>(group, {
      name,
      summary,
      example,
      options: [map()],
      run: async (context, args, { resource }) => {
        const client = await context.client()
        const [path = '', fixed = ''] = toPath(args).split('?')
        const query = new URLSearchParams(fixed)
        query.set('format', context.format === 'text' ? 'markdown' : 'json')
        if (resource !== undefined) query.set('resource_id', resource)
        const shown = await client.request('GET', `${path}?${query.toString()}`)
        await context.show(shown)
      },
    })
  addCommand<{ resource?: string; format: string }>(group, {
    name: 'graph',
    summary: 'Print a picture of the map',
    example: 'stakeholders graph > map.svg',
    options: [map(), option('--format <format>', 'the format').choices(['svg', 'mermaid', 'graphml']).default('svg')],
    run: async (context, _, { resource, format }) => {
      const client = await context.client()
      const query = { resource_id: resource, format: format as 'svg' }
      const graph = await (await client.stakeholders.graph(query)).text()
      await context.print({ format, graph }, () => graph)
    },
  })
}

interface ExtractOptions {
  resource?: string
  text?: string
  model?: string
  assignee?: string[]
  detach?: boolean
}

function addExtract(group: Command): void {
  addCommand<ExtractOptions>(group, {
    name: 'extract [kind/slug]',
    summary: 'Propose changes of a map from a document, a meeting or a text; an approval shows them',
    example: 'stakeholders extract meetings/kick-off\nstakeholders extract --text @minutes.md --assignee user:ann',
    options: [
      option('--text <text>', 'a text instead of a document: the text, @file, or - for stdin'),
      map(),
      option('--model <name>', 'the model; by default that of the installation'),
      repeated('--assignee <name>', 'who may approve, such as user:ann; repeatable'),
      option('--detach', 'print the job and do not wait'),
    ],
    run: async (context, [source], { resource, text, model, assignee, detach }) => {
      if ((source === undefined) === (text === undefined)) throw usageError('Give a document as kind/slug, or --text')
      const [kind = '', id] = source?.split('/') ?? []
      if (source !== undefined && !id) throw usageError('Name it as kind/slug, such as meetings/kick-off')
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
  })
}
