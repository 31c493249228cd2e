import { type Command, Option } from 'commander'
import { startPlan } from '../../services/access/start-plan.ts'
import { CORE_FILE, readCore } from './core-file.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'

/** Adds the commands about workspaces. */
export function addWorkspaces(program: Command): void {
  const workspace = program.command('workspace').description('Workspaces')
  workspace
    .command('create')
    .description('Create a workspace with its default brain and the built-in resources')
    .requiredOption('--name <name>', 'what people call it')
    .option('--slug <slug>', 'the name in URLs; by default built from the name')
    .option('--plan <plan>', 'one of PLANS; by default DEFAULT_PLAN')
    .option('--json', 'print one JSON line')
    .action(({ name, slug, plan: named, json }: { name: string; slug?: string; plan?: string } & Output) =>
      withAccess(async ({ admin }, config) => {
        const plan = startPlan(config, { plan: named })
        const newWorkspace = await admin.createWorkspace({ name, slug, plan, core: readCore(CORE_FILE) })
        say(
          json,
          newWorkspace,
          `Workspace ${newWorkspace.slug} is ready.\n  id:    ${newWorkspace.id}\n  brain: ${newWorkspace.brain_id}`,
        )
      }),
    )

  workspace
    .command('set-plan')
    .description('Set the plan of a workspace; a trial begins now')
    .requiredOption('--workspace <slug>', 'the workspace')
    .option('--plan <plan>', 'one of PLANS; by default DEFAULT_PLAN')
    .option('--trial-ends <time>', 'when the trial ends, as ISO 8601; by default after the trial days of the plan')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; plan?: string; trialEnds?: string } & Output) =>
      withAccess(async ({ admin }, config) => {
        const startingPlan = startPlan(config, { plan: options.plan, trial_ends_at: options.trialEnds })
        await admin.setPlan(options.workspace, startingPlan)
        const name = startingPlan.plan ?? config.DEFAULT_PLAN
        const end = startingPlan.trial_ends_at ? `until ${startingPlan.trial_ends_at}` : 'without an end'
        say(options.json, { ...startingPlan, plan: name }, `${options.workspace} has the plan ${name}, ${end}.`)
      }),
    )

  workspace
    .command('set-evidence')
    .description('Set how long votes are kept after their run was removed; without end unless it is set')
    .requiredOption('--workspace <slug>', 'the workspace')
    .addOption(new Option('--days <number>', '365 or more').argParser(Number).conflicts('forever'))
    .option('--forever', 'keep them without end')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; days?: number; forever?: true } & Output) =>
      withAccess(async ({ admin }) => {
        const { workspace, days, forever } = options
        if (days === undefined && !forever) throw new Error('Give --days or --forever')
        const evidence_days = days ?? null
        await admin.setEvidenceDays(workspace, evidence_days)
        const time = evidence_days === null ? 'without end' : `for ${evidence_days} days`
        say(options.json, { evidence_days }, `Votes of ${workspace} are kept ${time}.`)
      }),
    )
}
