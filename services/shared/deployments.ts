import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError } from '@temporalio/client'
import { Conflict, NotFound, Unavailable } from '../../domain/shared/errors.ts'
import { countWorkers, readPolls } from './task-queue.ts'
import type { Temporal } from './temporal.ts'
import { type Build, describeBuild, describeWithoutBuild } from './builds.ts'

export interface Deployment {
  /** Deployment name, which by default is the same as the task queue name. */
  deployment: string
  /** The build with which new runs start, or null for workers without a build. */
  current: string | null
  /** The build with which a share of new runs starts. */
  ramping: { build: string; percent: number } | null
  /** Latest first. Workers without a build come last. */
  builds: Build[]
}

export interface Deployments {
  read(): Promise<Deployment>
  /**
   * Makes a build current, or routes a percentage of new runs to it. Waits for a worker with this build. Throws
   * Conflict if none polls in time or Temporal rejects the change.
   */
  promote(build: string, options: { percent?: number; waitMs: number }): Promise<void>
  /** Deletes a drained build without workers. Throws NotFound, and Conflict if the build is in use. */
  remove(build: string): Promise<void>
}

/** Temporal responds only after all of a deployment's task queues have received the change. */
const CALL_MS = 20_000
const POLL_MS = 500

/** Manages the worker builds of a deployment. Temporal stores them as versions. */
export function createDeployments({ temporal }: { temporal: Temporal }): Deployments {
  const { taskQueue, deploymentName, client } = temporal
  const { namespace } = client.options
  const { workflowService: service } = client
  const deployment = { namespace, deploymentName }
  const readQueue = () => temporal.call(() => readPolls(client, { namespace, taskQueue }))
  const call = <T>(work: () => Promise<T>) => temporal.call(() => unlessUnknown(work), CALL_MS)

  return {
    async read() {
      const [described, polled] = await Promise.all([
        call(() => service.describeWorkerDeployment(deployment)),
        readQueue(),
      ])
      const { versionSummaries, routingConfig } = described?.workerDeploymentInfo ?? {}
      const builds = await Promise.all(
        (versionSummaries ?? []).map(summary => describeBuild(temporal, summary, polled)),
      )
      const without = await describeWithoutBuild(temporal, polled)
      const ramping = routingConfig?.rampingDeploymentVersion?.buildId
      return {
        deployment: deploymentName,
        current: routingConfig?.currentDeploymentVersion?.buildId || null,
        ramping: ramping ? { build: ramping, percent: routingConfig?.rampingVersionPercentage ?? 0 } : null,
        builds: [...builds.toSorted((a, b) => b.created_at.localeCompare(a.created_at)), ...without],
      }
    },

    async promote(buildId, { percent: percentage, waitMs }) {
      const end = Date.now() + waitMs
      const promoteOnce = () =>
        call<object>(() =>
          percentage === undefined
            ? service.setWorkerDeploymentCurrentVersion({ ...deployment, buildId })
            : service.setWorkerDeploymentRampingVersion({ ...deployment, buildId, percentage }),
        )
      for (;;) {
        // Temporal lists a build only a short time after the build's first poll.
        try {
          if (countWorkers(await readQueue(), buildId) > 0 && (await promoteOnce())) return
        } catch (error) {
          if (!(error instanceof Unavailable) || Date.now() > end) throw error
        }
        if (Date.now() > end) throw new Conflict(`No worker of build ${buildId} polls "${taskQueue}"`)
        await sleep(POLL_MS)
      }
    },

    async remove(buildId) {
      const deploymentVersion = { deploymentName, buildId }
      const removal = await call(() => service.deleteWorkerDeploymentVersion({ namespace, deploymentVersion }))
      if (!removal) throw new NotFound(`Build ${buildId}`)
    },
  }
}

// gRPC status codes (grpc.io/docs/guides/status-codes).
const NOT_FOUND = new Set([5])
/** Invalid arguments and failed preconditions. */
const REFUSED = new Set([3, 9])

/** Resolves with undefined if the build does not exist in Temporal. Throws Conflict if Temporal rejects the change. */
async function unlessUnknown<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error
    if (NOT_FOUND.has(error.code)) return undefined
    if (REFUSED.has(error.code))
      throw new Conflict(
        `Temporal rejected the change: ${error.details}. A worker counts as active for 5 minutes after its last poll.`,
      )
    throw error
  }
}
