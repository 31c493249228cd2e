import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { countWorkers, type QueuePolls } from './task-queue.ts'
import type { Temporal } from './temporal.ts'

const { WorkerDeploymentVersionStatus: Status } = proto.temporal.api.enums.v1

type Summary = proto.temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary

/**
 * `inactive`: no run has started with the build. `drained`: the build is not current, and all runs pinned to it have
 * ended.
 */
export type BuildState = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained'

export interface Build {
  /** Null for workers without a build and for open runs that did not start with a build. */
  build: string | null
  state: BuildState
  /** ISO 8601. Null if Temporal does not report the time. */
  since: string | null
  /** Number of open runs pinned to the build. */
  open_runs: number
  /** Number of workers that have polled in the last 90 s. */
  workers: number
}

const STATES: Record<number, BuildState> = {
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
}

/** Describes a deployment's build. `created_at` is the time when its first worker polled. */
export async function describeBuild(
  temporal: Temporal,
  summary: Summary,
  polled: QueuePolls,
): Promise<Build & { created_at: string }> {
  const build = summary.deploymentVersion?.buildId ?? ''
  const state = STATES[summary.status ?? 0] ?? 'inactive'
  const version = `${temporal.deploymentName}:${build}`.replaceAll("'", "''")
  const open_runs = await countOpenRuns(
    temporal,
    `TemporalWorkerDeploymentVersion = '${version}' AND TemporalWorkflowVersioningBehavior = 'Pinned'`,
  )
  const created_at = toIso(summary.createTime) ?? ''
  return { build, state, since: findSince(summary, state), open_runs, workers: countWorkers(polled, build), created_at }
}

/** Describes the workers without a build, if any such workers or open runs exist. */
export async function describeWithoutBuild(temporal: Temporal, polled: QueuePolls): Promise<Build[]> {
  const open_runs = await countOpenRuns(temporal, 'TemporalWorkerDeploymentVersion IS NULL')
  const workers = countWorkers(polled, undefined)
  if (open_runs === 0 && workers === 0) return []
  const state = polled.current === undefined ? 'current' : open_runs > 0 ? 'draining' : 'drained'
  return [{ build: null, state, since: null, open_runs, workers }]
}

async function countOpenRuns(temporal: Temporal, condition: string): Promise<number> {
  const taskQueue = temporal.taskQueue.replaceAll("'", "''")
  const query = `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running' AND ${condition}`
  const { count } = await temporal.call(client => client.workflow.count(query))
  return count
}

function findSince(summary: Summary, state: BuildState): string | null {
  const { currentSinceTime, rampingSinceTime, createTime, drainageInfo } = summary
  if (state === 'current') return toIso(currentSinceTime)
  if (state === 'ramping') return toIso(rampingSinceTime)
  return toIso(state === 'inactive' ? createTime : drainageInfo?.lastChangedTime)
}

const toIso = (time: Parameters<typeof tsToMs>[0]): string | null =>
  time ? new Date(tsToMs(time)).toISOString() : null
