import type { Command } from 'commander'
import { addCommand } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'

/** `activity`: recorded changes. */
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
