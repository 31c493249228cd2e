import type { WorkflowExecutionDescription } from '@temporalio/client'
import proto from '@temporalio/proto'

const { VersioningBehavior } = proto.temporal.api.enums.v1

/** Returns the build of workers with which a run stays, if it stays with one. */
export function findPinnedBuild({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): string | undefined {
  const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {}
  if (behavior !== VersioningBehavior.VERSIONING_BEHAVIOR_PINNED) return undefined
  return deploymentVersion?.buildId ?? undefined
}
