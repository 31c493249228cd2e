import type { Schema } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { openOwnClient as client } from './session.ts'

/** Adds the `members` commands. They need a signed-in user, or a key with permission to manage access. */
export const add = (program: Command): Command =>
  addGroup(program, 'members', [
    operation('members.list', {
      name: 'list',
      client,
      columns: ['actor', 'role', ['groups', one => one.groups.join(',')]],
    }),
    operation('members.remove', {
      name: 'remove <actor>',
      summary: 'Remove a member, revoke their credentials, disable their triggers, and list what others must take over',
      example: 'members remove user:ann --dry-run\nmembers remove user:ann --yes',
      client,
      options: { dry_run: '--dry-run' },
      confirm: ([actor], { dryRun }) => (dryRun ? undefined : `Remove ${actor} and revoke their credentials?`),
      text: describeDeparture,
    }),
    operation('members.deactivate', {
      name: 'deactivate <actor>',
      summary:
        'Deactivate a member, revoke their credentials, disable their triggers, and list what others must take over',
      example: 'members deactivate user:ann --dry-run\nmembers deactivate user:ann --yes',
      client,
      options: { dry_run: '--dry-run' },
      confirm: ([actor], { dryRun }) => (dryRun ? undefined : `Deactivate ${actor} and revoke their credentials?`),
      text: describeDeparture,
    }),
    operation('members.reactivate', {
      name: 'reactivate <actor>',
      client,
      text: ({ actor, role }) => `${actor}\t${role}`,
    }),
    operation('members.handOver', {
      name: 'hand-over <actor>',
      example: 'members hand-over user:ann --to user:bo --dry-run',
      client,
      options: { to: '--to <person>', dry_run: '--dry-run' },
      text: ({ tasks, triggers }) =>
        [...tasks, ...triggers]
          .map(({ outcome, title, message }) => [outcome, title, message].filter(Boolean).join('\t'))
          .join('\n') || 'Nothing to hand over',
    }),
  ])

function describeDeparture({ revoked, switched_off, open }: Schema<'Departure'>): string {
  const tasks = new Map([...open.tasks, ...open.claims, ...open.delegations].map(task => [task.id, task]))
  const lines = [
    ...revoked.map(({ kind, name }) => `revoked\t${kind}\t${name}`),
    ...switched_off.map(({ slug }) => `disabled\ttrigger\t${slug}`),
    ...[...tasks.values()].map(({ id, title }) => `open\ttask\t${title}\t${id}`),
    ...open.absences.map(({ actor, substitute }) => `open\tabsence\t${actor}, substitute ${substitute}`),
    ...open.receptors.map(({ slug }) => `open\treceptor\t${slug}`),
  ]
  return lines.join('\n') || 'Nothing else to end'
}
