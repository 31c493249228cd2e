import type { Query } from '@ganglion/client'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { addCommand, addGroup, listOptions, type ListOptions, option, toList } from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'
import { renderTable, writeLine } from '../shared/output.ts'

/** What concerns the workspace as a whole: events, usage, activity, and a first folder of files. */
export function addWorkspace(program: Command): void {
  const events = addGroup(program, 'events')
  addCommand<{ type?: string; after?: string }>(events, {
    name: 'tail',
    summary: 'Print events as they happen, until Ctrl-C',
    example: 'events tail --type "job.*,resource.created"\nevents tail --json=lines | jq .type',
    options: [
      option('--type <types>', 'types, with commas, such as job.*'),
      option('--after <id>', 'begin behind this event'),
    ],
    run: async (context, _, { type, after }) => {
      const client = await context.client()
      const { tail } = await import('../webhooks/tail.ts')
      await tail(context, client, toList(type), after, event => {
        if (context.format !== 'text') return writeLine(event)
        return context.print(event, one => {
          const subject =
            'resource' in one
              ? `${one.resource.type}/${one.resource.slug}`
              : 'job' in one
                ? one.job.id
                : 'intervention' in one
                  ? one.intervention.id
                  : ''
          return `${'at' in one ? one.at : ''}\t${one.type}\t${subject}`
        })
      })
    },
  })
  addCommand<Pick<Query<'usage.get'>, 'from' | 'to'> & { by?: Query<'usage.get'>['group_by'] }>(program, {
    name: 'usage',
    example: 'usage --by model',
    options: [
      option('--by <group>', 'group').choices(['day', 'kind', 'model', 'neuron', 'pathway', 'job']),
      option('--from <time>', 'ISO 8601'),
      option('--to <time>', 'ISO 8601'),
    ],
    run: async (context, _, { by, from, to }) => {
      const client = await context.client()
      const { data, ...usage } = await client.usage
        .get({ group_by: by, from, to })
        .then(page => ({ ...(page as unknown as Record<string, unknown>), data: page.data }))
      await context.print({ ...usage, data }, () =>
        renderTable(data as Row[], [
          [by ?? 'day', one => one.slug ?? one.group],
          ['calls', one => one.calls],
          ['input', one => one.input_tokens],
          ['output', one => one.output_tokens],
          ['usd', one => one.usd],
        ]),
      )
    },
  })
  addCommand<ListOptions & { actor?: string; action?: string }>(program, {
    name: 'activity',
    example: 'activity --actor user:ann --limit 20',
    options: [
      option('--actor <name>', 'those of an actor'),
      option('--action <name>', 'those of an action'),
      ...listOptions(),
    ],
    run: async (context, _, { actor, action, ...list }) => {
      const client = await context.client()
      await context.printAll(
        client.activity.list({ actor, action }),
        [
          ['at', one => one.at],
          ['actor', one => one.actor],
          ['action', one => one.action],
          ['target', one => one.target],
        ],
        list,
      )
    },
  })
  addCommand(program, {
    name: 'init [dir]',
    example: 'init my-flows && ganglion apply -f my-flows',
    run: async (context, [dir = '.']) => {
      const files = [join(dir, 'ganglion.yaml'), join(dir, 'pathways', 'hello.yaml')]
      const there = files.find(existsSync)
      if (there) throw new CliError(EXIT.conflict, `${there} is there already`)
      mkdirSync(join(dir, 'pathways'), { recursive: true })
      writeFileSync(files[0] as string, PROJECT)
      writeFileSync(files[1] as string, SAMPLE)
      await context.print(
        { files },
        () => `wrote ${files.join(' and ')}\nNext: ganglion apply -f ${dir} && ganglion run hello -i name=Ann`,
      )
    },
  })
}

interface Row {
  group: string | null
  slug: string | null
  calls: number
  input_tokens: number
  output_tokens: number
  usd: number
}

const PROJECT = `# Settings of this project for the command line. Keys do not belong here: see "ganglion login".
# url: https://ganglion.example.com
# brain: 0192f0c4-0000-7000-8000-0000000000b1
`

const SAMPLE = `# A pathway that asks a person. Apply it, then: ganglion run hello -i name=Ann
kind: pathway
slug: hello
title: Hello
definition:
  schema: pathway/1
  input:
    type: object
    required: [name]
    properties:
      name: { type: string }
  nodes:
    - { id: ask, type: human, kind: approval, title: "Greet \${input.name}?" }
    - { id: greeted, type: end, output: { greeting: "Hello \${input.name}" } }
    - { id: silent, type: end, output: { greeting: null } }
  edges:
    - { from: ask, on: approve, to: greeted }
    - { from: ask, on: reject, to: silent }
`
