import { verifyEvidence } from '@ganglion/client/evidence'
import { OPERATOR } from '../../data/audit/audit-store.ts'
import { createMembers } from '../../services/access/members.ts'
import type { Evidence, EvidenceKey } from '../../contract/people/evidence.ts'
import type { InterventionView } from '../../contract/people/intervention.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { useOwnAgents } from '../support/agents/agents.ts'
import { addressOf, buildEmailChannel, startMailServer } from '../support/channels/mail-server.ts'
import { startSlackServer } from '../support/channels/slack-server.ts'
import { openSlackWorkspace, textOf, USERS } from '../support/channels/slack-workspace.ts'
import { jobWith } from '../support/runs/runs.ts'
import { waitUntil } from '../support/stack/process.ts'

const mail = await startMailServer()
const slack = await startSlackServer()
const context = useOwnAgents({
  SLACK_API_URL: slack.url,
  EMAIL_POLL_SECONDS: '1',
  NODE_EXTRA_CA_CERTS: mail.certificate,
})
afterAll(() => Promise.all([mail.close(), slack.close()]))

test('one person in Slack and one who follows the link in a mail reach a quorum, although processes are killed', async () => {
  const { stack, workspace } = context
  const kill = () => Promise.all([stack.killApi(), stack.killWorker()])
  const support = await openSlackWorkspace(slack, context)
  await createMembers({ db: stack.database.db }).save(
    { ...OPERATOR, workspace_id: workspace.id },
    { actor: 'user:dan', role: 'reviewer', email: addressOf('dan') },
  )
  expect(await support.manager.call('PUT', '/v1/channels', buildEmailChannel(mail, 'mail'))).toMatchObject({
    status: 200,
  })
  const rule = { subject: 'user:dan', channel: 'mail' }
  expect(await support.manager.call('PUT', '/v1/notification-rules', rule)).toMatchObject({ status: 200 })

  const title = 'Pay 7,000 EUR?'
  const { jobId, task, messageTo } = await support.ask({ title, assignees: ['user:bob', 'user:dan'], quorum: 2 })
  await kill()
  const toBob = await messageTo(USERS['user:bob'])
  expect(await support.click(USERS['user:bob'], toBob, 'approve')).toMatchObject({ status: 200 })
  await kill()
  const { text = '', messageId } = await mail.untilMail('dan', ({ subject }) => subject === title)
  const path = /\/console\/inbox\/([^\s/?]+)/.exec(text)?.[1] ?? ''
  const dan = await signInAs(stack, workspace, 'user:dan', 'reviewer')
  const readTask = async () => (await dan.send('GET', `/v1/interventions/${path}`)).body as unknown as InterventionView
  await waitUntil(async () => (await readTask()).votes.length === 1)
  const input = { type: 'intervention_response', interventionId: path, action: 'approve' }
  const answered = await dan.send('POST', `/v1/jobs/${jobId}/input`, { workspace_id: workspace.id, input })
  expect(answered).toMatchObject({ status: 200 })
  await kill()
  expect(await jobWith(workspace.client, jobId, 'completed')).toMatchObject({ status: 'completed' })
  await mail.untilMail('dan', ({ inReplyTo }) => inReplyTo === messageId)

  const { body: evidence } = await workspace.client.get<Evidence>(`/v1/interventions/${task.interventionId}/evidence`)
  const { data: keys } = (await workspace.client.get<{ data: EvidenceKey[] }>('/v1/evidence-keys')).body
  expect(await verifyEvidence(evidence, keys)).toMatchObject({ verified: true, votes: 2, problems: [] })
  const { votes } = await support.readTask(task.interventionId)
  expect(votes.map(({ by }) => by)).toEqual(['user:bob', 'user:dan'])
  expect(
    slack.messages.filter(({ blocks, user }) => user === undefined && textOf(blocks).includes(title)),
  ).toHaveLength(1)
  const received = (await mail.read('dan')).filter(({ subject = '' }) => subject.includes(title))
  expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(2)
})
