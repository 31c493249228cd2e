import type { Ganglion, Schema } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, addGroup, type Context, listOptions, type ListOptions, option } from '../shared/command.ts'
import { openPersonClient } from './session.ts'

/** `members`: the people of the workspace, by a key that may manage access or a person who is signed in. */
export function addMembers(program: Command): void {
  const group = addGroup(program, 'members')
  addCommand<ListOptions>(group, {
    name: 'list',
    summary: 'List the members with their roles and groups',
    example: 'members list',
    options: listOptions(),
    run: async (context, _, list) => {
      const client = await openClient(context)
      await context.printAll(
        client.members.list(),
        [
          ['actor', one => one.actor],
          ['role', one => one.role],
          ['groups', one => one.groups.join(',')],
        ],
        list,
      )
    },
  })
  addCommand<{ dryRun?: boolean }>(group, {
    name: 'remove <actor>',
    summary: 'Remove a member, end what acts for them, and list what others must take over',
    example: 'members remove user:ann --dry-run\nmembers remove user:ann --yes',
    options: [option('--dry-run', 'list what would end, and change nothing')],
    run: async (context, [actor = ''], { dryRun = false }) => {
      const client = await openClient(context)
      if (!dryRun) await context.confirm(`Remove ${actor} and revoke their credentials?`)
      const departure = await client.members.remove(actor, { dry_run: dryRun ? 'true' : 'false' })
      await context.print(departure, describeDeparture)
    },
  })
  addCommand<{ to?: string; dryRun?: boolean }>(group, {
    name: 'hand-over <actor>',
    summary: 'Hand the tasks and triggers of a person over to another member',
    example: 'members hand-over user:ann --to user:bo --dry-run',
    options: [
      option('--to <person>', 'the member who takes over').makeOptionMandatory(),
      option('--dry-run', 'list what would be handed over, and change nothing'),
    ],
    run: async (context, [actor = ''], { to = '', dryRun: dry_run }) => {
      const client = await openClient(context)
      const handover = await client.members.handOver(actor, { to, dry_run })
      await context.print(handover, describeHandover)
    },
  })
}

const openClient = (context: Context): Promise<Ganglion> =>
  context.settings.session ? openPersonClient(context) : context.client()

function describeDeparture({ revoked, switched_off, open }: Schema<'Departure'>): string {
  const tasks = new Map([...open.tasks, ...open.claims, ...open.delegations].map(task => [task.id, task]))
  const lines = [
    ...revoked.map(({ kind, name }) => `revoked\t${kind}\t${name}`),
    ...switched_off.map(({ slug }) => `switched off\ttrigger\t${slug}`),
    ...[...tasks.values()].map(({ id, title }) => `open\ttask\t${title}\t${id}`),
    ...open.absences.map(({ actor, substitute }) => `open\tabsence\t${actor}, substitute ${substitute}`),
    ...open.receptors.map(({ slug }) => `open\treceptor\t${slug}`),
  ]
  return lines.join('\n') || 'Nothing else ends'
}

const describeHandover = ({ tasks, triggers }: Schema<'Handover'>): string =>
  [...tasks, ...triggers]
    .map(({ outcome, title, message }) => [outcome, title, message].filter(Boolean).join('\t'))
    .join('\n') || 'Nothing to hand over'
