import type { WorkspaceEvent } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, option, splitList } from '../shared/command.ts'
import { writeLine } from '../shared/output.ts'
import { tail } from './tail.ts'

/** `events`: what happens in the workspace. */
export const add = (program: Command): Command =>
  addGroup(program, 'events', [
    {
      name: 'tail',
      summary: 'Print events as they happen, until Ctrl-C',
      example: 'events tail --type "job.*,resource.created"\nevents tail --json=lines | jq .type',
      options: [
        option('--type <types>', 'types, with commas, such as job.*'),
        option('--after <id>', 'begin behind this event'),
      ],
      run: async (context, _, { type, after }: { type?: string; after?: string }) =>
        tail(context, await context.client(), splitList(type), after, event =>
          context.format === 'text' ? context.print(event, describeEvent) : writeLine(event),
        ),
    },
  ])

function describeEvent(event: WorkspaceEvent): string {
  const subject =
    'resource' in event
      ? `${event.resource.type}/${event.resource.slug}`
      : 'job' in event
        ? event.job.id
        : 'intervention' in event
          ? event.intervention.id
          : ''
  return `${'at' in event ? event.at : ''}\t${event.type}\t${subject}`
}
