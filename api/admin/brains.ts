import type { Command } from 'commander'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'

/** Adds the brain commands. */
export function addBrains(program: Command): void {
  const brain = program.command('brain').description('Workspace brains')
  brain
    .command('create')
    .description('Create a brain')
    .requiredOption('--workspace <slug>', 'workspace to create the brain in')
    .requiredOption('--name <name>', 'display name')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; name: string } & Output) =>
      withAccess(async ({ admin }) => {
        const newBrain = await admin.createBrain(options.workspace, options)
        say(options.json, newBrain, `Brain ${newBrain.id} is ready.`)
      }),
    )

  brain
    .command('list')
    .description('List the brains, oldest first')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string } & Output) =>
      withAccess(async ({ admin }) => {
        const brains = await admin.listBrains(options.workspace)
        const lines = brains.map(({ id, name, is_default }) => `${id}  ${name}${is_default ? '  default' : ''}`)
        say(options.json, brains, lines.join('\n'))
      }),
    )

  brain
    .command('set-default')
    .description('Make a brain the default for credentials without a default brain')
    .argument('<id>', 'id of the brain')
    .requiredOption('--workspace <slug>', 'workspace that the brain belongs to')
    .option('--json', 'print one JSON line')
    .action((id: string, options: { workspace: string } & Output) =>
      withAccess(async ({ admin }) => {
        const defaultBrain = await admin.setDefaultBrain(options.workspace, id)
        say(options.json, defaultBrain, `${defaultBrain.name} is now the default brain of ${options.workspace}.`)
      }),
    )
}
