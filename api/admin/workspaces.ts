import { type Command, Option } from 'commander'
import { startPlan } from '../../services/access/start-plan.ts'
import { CORE_FILE, readCore } from './core-file.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'

/** Adds the workspace commands. */
export function addWorkspaces(program: Command): void {
  const workspace = program.command('workspace').description('Workspaces')
  workspace
    .command('create')
    .description('Create a workspace with a default brain and the built-in resources')
    .requiredOption('--name <name>', 'display name')
    .option('--slug <slug>', 'slug used in URLs; default: derived from the name')
    .option('--plan <plan>', 'one of PLANS; default: DEFAULT_PLAN')
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
    .description("Set a workspace's plan; a trial starts immediately")
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--plan <plan>', 'one of PLANS; default: DEFAULT_PLAN')
    .option('--trial-ends <time>', 'end of the trial as ISO 8601; default: after the trial days of the plan')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; plan?: string; trialEnds?: string } & Output) =>
      withAccess(async ({ admin }, config) => {
        const startingPlan = startPlan(config, { plan: options.plan, trial_ends_at: options.trialEnds })
        await admin.setPlan(options.workspace, startingPlan)
        const name = startingPlan.plan ?? config.DEFAULT_PLAN
        const end = startingPlan.trial_ends_at ? `until ${startingPlan.trial_ends_at}` : 'without an end date'
        say(options.json, { ...startingPlan, plan: name }, `${options.workspace} is on the ${name} plan, ${end}.`)
      }),
    )

  workspace
    .command('set-evidence')
    .description('Set how long votes are kept after their run is removed; default: forever')
    .requiredOption('--workspace <slug>', 'workspace')
    .addOption(new Option('--days <number>', '365 or more').argParser(Number).conflicts('forever'))
    .option('--forever', 'keep them forever')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; days?: number; forever?: true } & Output) =>
      withAccess(async ({ admin }) => {
        const { workspace, days, forever } = options
        if (days === undefined && !forever) throw new Error('Set --days or --forever')
        const evidence_days = days ?? null
        await admin.setEvidenceDays(workspace, evidence_days)
        const time = evidence_days === null ? 'without end' : `for ${evidence_days} days`
        say(options.json, { evidence_days }, `Votes of ${workspace} are kept ${time}.`)
      }),
    )
}
