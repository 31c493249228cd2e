import type { Command } from 'commander'
import { addCommand } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'

/** Adds the `activity` command, which lists the audit log. */
export const add = (program: Command): void =>
  addCommand(
    program,
    operation('activity.list', {
      name: 'activity',
      example: 'activity --actor user:ann --limit 20',
      options: { actor: '--actor <name>', action: '--action <name>' },
      columns: ['at', 'actor', 'action', 'target'],
    }),
  )
