import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { listEffects, post } from '../support/effects.ts'
import { useFaultContext } from '../support/fault-context.ts'

const context = useFaultContext('temporal')

test('a waiting run survives the loss of the worker, the API and Temporal', async () => {
  const { client, id } = context.workspace
  const { stack, components, ledger } = context
  const jobId = await startRun(
    client,
    pathway(
      [
        post(ledger, 'before'),
        { id: 'review', type: 'human', kind: 'approval', due: 'P20D', remind: ['PT1S'] },
        { id: 'delivered', type: 'wait', event: 'delivery' },
        { id: 'clock', type: 'wait', duration: 'PT8S' },
        { id: 'all', type: 'join', mode: 'all' },
        post(ledger, 'after'),
      ],
      'before > review',
      'before > delivered',
      'before > clock',
      'review.approve > all',
      'review.reject > all',
      'review.timeout > all',
      'delivered > all',
      'clock > all',
      'all > after',
    ),
  )
  const [question] = await asked(client, jobId)

  await Promise.all([stack.worker.end('SIGKILL'), stack.api.end('SIGKILL')])
  await components.kill('temporal')
  await components.startOne('temporal')
  await Promise.all([stack.restartWorker(), stack.restartApi()])

  expect(await jobWith(client, jobId, 'waiting')).toMatchObject({
    waitingFor: [{ interventionId: question?.interventionId }],
  })
  const approve = () => answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })
  const reply = await approve()
  expect(reply).toMatchObject({ status: 200, body: { decided: true, by: 'user:ann' } })
  await components.stopOne('temporal')
  await components.startOne('temporal')
  expect((await approve()).body).toEqual(reply.body)
  await client.post(`/v1/jobs/${jobId}/resume`, { event: 'delivery' })
  expect((await jobWith(client, jobId)).status).toBe('completed')
  expect(listEffects(ledger, jobId)).toEqual(['after', 'before'])
})
