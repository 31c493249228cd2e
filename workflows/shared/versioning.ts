import { makeContinueAsNewFunc, setWorkflowOptions, type Workflow } from '@temporalio/workflow'

/**
 * A worker with a build id sets this flag before it runs the bundle (`workflows/bundle.ts`). Temporal rejects
 * versioning behaviors from workers without a build id.
 */
const { hasWorkerBuild = false } = globalThis as { hasWorkerBuild?: boolean }

/**
 * Lets open runs of these workflows continue with the current build at any step, so that their waits don't keep an
 * old build in use. Their histories must replay. All other workflows stay with their initial build.
 */
export function followCurrentBuild(...workflows: Workflow[]): void {
  if (!hasWorkerBuild) return
  for (const workflow of workflows) setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, workflow)
}

/** Continues as new with the build that is current at that time. Ignored by workers without a build id. */
export const continueWithCurrentBuild = <F extends Workflow>(...input: Parameters<F>): Promise<never> =>
  makeContinueAsNewFunc<F>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...input)
