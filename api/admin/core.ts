import type { Command } from 'commander'
import { applyCoreTo } from '../../services/shared/core.ts'
import { CORE_FILE, readCore } from './core-file.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the command about built-in resources. */
export function addCore(program: Command): void {
  const core = program.command('core').description('Built-in resources of every workspace')
  core
    .command('apply')
    .description('Update the built-in neurons, reflexes, skills and receptors to their definitions; idempotent')
    .option('--file <file>', 'the file of definitions', CORE_FILE)
    .option('--workspace <slug>', 'the workspace; by default all')
    .option('--json', 'print one JSON line')
    .action(({ file, workspace: slug, json }: { file: string; workspace?: string } & Output) =>
      withStores(1, async ({ db }) => {
        const counts = await applyCoreTo(db, readCore(file), slug)
        say(json, counts, `${counts.resources} resources written in ${counts.workspaces} workspaces.`)
      }),
    )
}
