import { hostname } from 'node:os'
import { Connection } from '@temporalio/client'
import { readConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'

/** A poll for work ends after a minute at most; a worker that has not begun one for longer does no work. */
const LONGEST_SILENCE_MS = 90_000

/**
 * The health check of a worker's container: ends with code 0 when Temporal has lately been asked for work from this
 * host, else throws.
 */
const config = readConfig(readEnvironment())
const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS, connectTimeout: 5000 })
const { pollers } = await connection.workflowService.describeTaskQueue({
  namespace: config.TEMPORAL_NAMESPACE,
  taskQueue: { name: config.TEMPORAL_TASK_QUEUE },
})
await connection.close()

const own = (pollers ?? []).filter(poller => poller.identity?.includes(hostname()))
const newest = Math.max(0, ...own.map(poller => Number(poller.lastAccessTime?.seconds ?? 0) * 1000))
if (newest < Date.now() - LONGEST_SILENCE_MS) throw new Error('This host has not asked Temporal for work lately')
