import type { Command } from 'commander'
import { applyCoreTo } from '../../services/shared/core.ts'
import { CORE_FILE, readCore } from './core-file.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the command for built-in resources. */
export function addCore(program: Command): void {
  const core = program.command('core').description('Built-in resources in every workspace')
  core
    .command('apply')
    .description('Update the built-in neurons, reflexes, skills and receptors from their definitions; idempotent')
    .option('--file <file>', 'file with the definitions', CORE_FILE)
    .option('--workspace <slug>', 'workspace to update; default: all')
    .option('--json', 'print one JSON line')
    .action(({ file, workspace: slug, json }: { file: string; workspace?: string } & Output) =>
      withStores(1, async ({ db }) => {
        const counts = await applyCoreTo(db, readCore(file), slug)
        say(json, counts, `Wrote ${counts.resources} resources to ${counts.workspaces} workspaces.`)
      }),
    )
}
