import { readConfig } from '../../config/config.ts'
import { openTemporal, type Temporal } from '../../services/temporal.ts'
import { startBrokenRun } from '../support/broken-run.ts'
import { withEndlessLoop } from '../support/bundles.ts'
import { followEvents } from '../support/events.ts'
import { waitUntil } from '../support/process.ts'
import { jobWith, pathway, startRun } from '../support/runs.ts'
import { useOwnStack } from '../support/use-stack.ts'

const context = useOwnStack()
let temporal: Temporal
beforeAll(() => (temporal = openTemporal(readConfig(context.stack.env))))
afterAll(() => temporal?.close())

const pendingTask = async (jobId: string) => (await temporal.handle(jobId).describe()).raw.pendingWorkflowTask

test('a run that occupies the workflow thread again and again is ended, and others go on', async () => {
  await context.stack.worker.end()
  await withEndlessLoop(async bundle => {
    context.stack.env.WORKFLOW_BUNDLE = bundle
    await context.stack.restartWorker()
    const jobId = await startBrokenRun({ database: context.stack.database, temporal }, context.workspace)
    // Nobody reads the run before it is ended: the worker writes the end by itself.
    const reader = await followEvents(context.workspace.client, { types: 'job.failed' })
    // Temporal then knows of the first attempt only that it was not finished in time, and records no later one.
    await waitUntil(async () => (await pendingTask(jobId))?.startedTime)
    await context.stack.worker.end('SIGKILL')
    await waitUntil(async () => ((await pendingTask(jobId))?.attempt ?? 1) > 1)
    await context.stack.restartWorker().finally(() => delete context.stack.env.WORKFLOW_BUNDLE)
    const other = await startRun(context.workspace.client, pathway([{ id: 'z', type: 'end', output: 7 }]))
    expect(await jobWith(context.workspace.client, other)).toMatchObject({ status: 'completed', result: 7 })
    await reader.until(({ job }) => job?.id === jobId)
    reader.close()
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({
      status: 'failed',
      failedReason:
        'its workflow task exceeded the time limit repeatedly: the run could not stop in order, and nothing was compensated',
    })
    await context.stack.worker.end()
  })
  await context.stack.restartWorker()
})
