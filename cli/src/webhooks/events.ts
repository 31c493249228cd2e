import type { WorkspaceEvent } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, option, splitList } from '../shared/command.ts'
import { writeLine } from '../shared/output.ts'
import { tail } from './tail.ts'

/** Adds the `events` commands. */
export const add = (program: Command): Command =>
  addGroup(program, 'events', [
    {
      name: 'tail',
      summary: 'Print events as they arrive, until Ctrl-C',
      example: 'events tail --type "job.*,resource.created"\nevents tail --json=lines | jq .type',
      options: [
        option('--type <types>', 'event types, separated by commas, such as job.*'),
        option('--after <id>', 'start after this event id'),
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
