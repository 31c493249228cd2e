import { join } from 'node:path'
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { readConfig } from '../../../config/config.ts'
import { createActivities } from './activities.ts'

/** A hand-written worker with the same number of slots as Ganglion's worker. */
const config = readConfig(process.env)
Runtime.install({ logger: new DefaultLogger('WARN') })
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: join(import.meta.dirname, 'workflows.ts'),
  logger: new DefaultLogger('WARN'),
})
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS }),
  namespace: config.TEMPORAL_NAMESPACE,
  taskQueue: config.TEMPORAL_TASK_QUEUE,
  workflowBundle,
  activities: createActivities(),
  maxConcurrentWorkflowTaskExecutions: config.WORKER_WORKFLOW_TASKS,
  maxConcurrentActivityTaskExecutions: config.WORKER_ACTIVITIES,
  maxConcurrentLocalActivityExecutions: config.WORKER_ACTIVITIES,
})
console.log('ready')
await worker.run()
process.exit(0)
