import { makeContinueAsNewFunc, setWorkflowOptions, type Workflow } from '@temporalio/workflow'

/**
 * A worker with a build sets this before it runs the bundle (`workflows/bundle.ts`): Temporal refuses behaviours from workers
 * without one.
 */
const { hasWorkerBuild = false } = globalThis as { hasWorkerBuild?: boolean }

/**
 * Lets open runs of these workflows go on with the current build at any step, so that their waits keep no former build in use.
 * Their histories must replay. All other workflows stay with the build that they began with.
 */
export function followCurrentBuild(...workflows: Workflow[]): void {
  if (!hasWorkerBuild) return
  for (const workflow of workflows) setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, workflow)
}

/** Continues as new with the build that is current then. Workers without a build ignore it. */
export const continueWithCurrentBuild = <F extends Workflow>(...input: Parameters<F>): Promise<never> =>
  makeContinueAsNewFunc<F>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...input)
