import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError } from '@temporalio/client'
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js'
import { Conflict, Unavailable } from '../../domain/shared/errors.ts'
import { registerSearchAttributes } from './search-attributes.ts'
import type { Temporal } from './temporal.ts'

export interface TemporalSetup {
  namespace: string
  /** Whether this call created the namespace. */
  created: boolean
  /** How long Temporal keeps the history of a closed run. */
  retention_days: number
  /** Names of the search attributes that this call registered. */
  search_attributes: string[]
  server_version: string
  /** Dynamic configuration of the server that differs from the recommended values, as far as clients can read it. */
  warnings: string[]
}

const DAY_MS = 86_400_000
const CALL_MS = 20_000
/** How long a server may take to discover a new namespace, which it does when it refreshes its cache. */
const VISIBLE_MS = 30_000
const POLL_MS = 500

// gRPC status codes (grpc.io/docs/guides/status-codes).
const NOT_FOUND = new Set([5])
const ALREADY_EXISTS = new Set([6])
/** Permission denied, unimplemented and unauthenticated: the server doesn't let this client change it. */
const REFUSED = new Set([7, 12, 16])

/**
 * Creates the namespace with this retention and registers the search attributes, if they are missing. Calling it
 * again changes nothing. Throws Unavailable, and Conflict if this client may not change the server.
 */
export async function setUpTemporal(temporal: Temporal, { retentionDays }: { retentionDays: number }) {
  const { namespace } = temporal.client.options
  const call: Temporal['call'] = work => temporal.call(client => unlessRefused(() => work(client)), CALL_MS)
  const describe = () =>
    call(({ workflowService }) => unlessCode(NOT_FOUND, workflowService.describeNamespace({ namespace })))

  const created = !(await describe())
  if (created)
    await call(({ workflowService }) =>
      unlessCode(
        ALREADY_EXISTS,
        workflowService.registerNamespace({
          namespace,
          workflowExecutionRetentionPeriod: msToTs(retentionDays * DAY_MS),
        }),
      ),
    )
  const end = Date.now() + VISIBLE_MS
  const untilVisible = async <T>(read: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const value = await read()
      if (value !== undefined) return value
      if (Date.now() > end) throw new Unavailable(`Temporal doesn't serve the new namespace "${namespace}" yet`)
      await sleep(POLL_MS)
    }
  }
  const { config, namespaceInfo } = await untilVisible(describe)
  const search_attributes = await untilVisible(() =>
    call(({ connection }) => unlessCode(NOT_FOUND, registerSearchAttributes(connection, namespace))),
  )
  const { serverVersion } = await call(({ workflowService }) => workflowService.getClusterInfo({}))
  const setup: TemporalSetup = {
    namespace,
    created,
    retention_days: tsToMs(config?.workflowExecutionRetentionTtl) / DAY_MS,
    search_attributes,
    server_version: serverVersion ?? 'unknown',
    warnings: [],
  }
  const { workflowTaskQueuePartitions: partitions } = await call(({ workflowService }) =>
    workflowService.listTaskQueuePartitions({ namespace, taskQueue: { name: temporal.taskQueue } }),
  )
  if (setup.retention_days !== retentionDays)
    setup.warnings.push(
      `The retention of the namespace is ${setup.retention_days} days, not ${retentionDays}. To change it, run: temporal operator namespace update -n ${namespace} --retention ${retentionDays}d`,
    )
  if ((partitions?.length ?? 1) > 1)
    setup.warnings.push(
      `Task queues have ${partitions?.length} partitions, and workspaces take turns only within a partition. Set matching.numTaskqueueReadPartitions and matching.numTaskqueueWritePartitions to 1.`,
    )
  if (!namespaceInfo?.capabilities?.reportedProblemsSearchAttribute)
    setup.warnings.push(
      'Stuck runs are not reported. Set system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute to 2.',
    )
  return setup
}

async function unlessCode<T>(codes: Set<number>, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isGrpcServiceError(error) && codes.has(error.code)) return undefined
    throw error
  }
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isGrpcServiceError(error) && REFUSED.has(error.code))
      throw new Conflict(
        `Temporal rejected the setup: ${error.details}. Create the namespace and the search attributes with your Temporal administrator.`,
      )
    throw error
  }
}
