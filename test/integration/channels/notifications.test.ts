import type { NotificationView } from '../../../contract/channels/notification.ts'
import type { NotificationRuleView } from '../../../contract/channels/notification-rule.ts'
import { execute } from '../../../data/shared/statements.ts'
import { WEEKDAYS } from '../../../domain/people/working-time.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { useAgents } from '../../support/agents/agents.ts'
import { openSlackWorkspace, type SlackWorkspace, textOf, USERS } from '../../support/channels/slack-workspace.ts'
import type { SlackServer } from '../../support/channels/slack-server.ts'
import type { Browser } from '../../support/clients/browser.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'

const context = useAgents()
let slack: SlackServer
let support: SlackWorkspace
/** Calls the API as Ann. */
let ann: ApiClient
/** The console of Ann, whose runs fail here. */
let browser: Browser
const BOB = USERS['user:bob']

beforeAll(async () => {
  slack = context.slack
  support = await openSlackWorkspace(slack, context)
  ann = context.workspace.client
  browser = await signInAs(context.stack, context.workspace, 'user:ann', 'owner')
})

const inside = (statement: string, parameters: unknown[] = []) =>
  context.stack.database.db.inWorkspace(context.workspace.id, tx => execute(tx, statement, parameters))

const saveRule = (fields: object = {}) =>
  support.manager.call<NotificationRuleView>('PUT', '/v1/notification-rules', {
    subject: 'user:bob',
    channel: 'support',
    ...fields,
  })

interface NotificationPage {
  data: NotificationView[]
  pagination: { total: number }
}

const list = async (of: Browser, query = ''): Promise<NotificationPage> =>
  (await of.send('GET', `/v1/notifications?limit=200${query}`)).body as unknown as NotificationPage

/** Saves a calendar with working hours on one weekday, which is neither today nor tomorrow. */
async function saveQuietCalendar(): Promise<void> {
  const day = WEEKDAYS[(new Date().getUTCDay() + 3) % 7] ?? 'mon'
  const body = { name: 'quiet', time_zone: 'UTC', hours: { [day]: ['09:00-17:00'] } }
  expect(await support.manager.call('PUT', '/v1/calendars', body)).toMatchObject({ status: 200 })
}

const sentTo = (user: string, text: string) =>
  slack.messages.filter(({ channel, blocks }) => channel === slack.directOf(user) && textOf(blocks).includes(text))

test('a task is announced to its assignees once, and can be marked as read', async () => {
  const bob = await signInAs(context.stack, context.workspace, 'user:bob', 'reviewer')
  const { task, jobId } = await support.ask({ title: 'Bell?', assignees: ['user:bob'] })
  const find = async () =>
    (await list(bob)).data.filter(({ intervention_id }) => intervention_id === task.interventionId)
  await waitUntil(async () => (await find()).length > 0)
  const [announced, ...others] = await find()
  expect(announced).toMatchObject({ type: 'intervention.requested', title: 'New task: Bell?', read_at: null })
  expect(others).toEqual([])
  const unread = (await list(bob, '&unread=true')).pagination.total
  expect(await bob.send('POST', '/v1/notifications/read', { ids: [announced?.id] })).toMatchObject({ status: 204 })
  expect((await list(bob, '&unread=true')).pagination.total).toBe(unread - 1)
  expect(await bob.send('POST', '/v1/notifications/read', {})).toMatchObject({ status: 204 })
  expect((await list(bob, '&unread=true')).pagination.total).toBe(0)
  await ann.post(`/v1/jobs/${jobId}/cancel`)
})

test('a reminder is a further message, and a failed run notifies the person who started it', async () => {
  await saveRule()
  const { jobId } = await support.ask({ title: 'Remind me?', assignees: ['user:bob'], remind: ['PT1S'] })
  await waitUntil(async () => sentTo(BOB, 'Reminder: Remind me?').length === 1)
  await ann.post(`/v1/jobs/${jobId}/cancel`)
  const fail = { id: 'fail', type: 'transform', with: { value: '${input.gone}' } }
  const failing = await startRun(ann, pathway([fail]))
  await jobWith(ann, failing, 'failed')
  await waitUntil(async () => (await list(browser)).data.some(({ job_id }) => job_id === failing))
  const notification = (await list(browser)).data.find(({ job_id }) => job_id === failing)
  expect(notification).toMatchObject({
    type: 'job.failed',
    title: expect.stringContaining('Run failed'),
    read_at: null,
  })
  expect(notification?.reason).toContain('gone')
})

test('a trigger that cannot start its target notifies the person who saved it', async () => {
  const target = { type: 'pathway', ref: '' }
  const { body: saved } = await ann.post<{ id: string }>('/v1/pathways', {
    title: 'Target',
    definition: pathway([{ id: 'say', type: 'transform', with: { value: '1' } }]),
  })
  target.ref = saved.id
  const { body: trigger } = await ann.post<{ id: string }>('/v1/triggers', { title: 'Broken trigger', target })
  await ann.del(`/v1/pathways/${saved.id}`)
  await ann.post(`/v1/triggers/${trigger.id}/fire`, { input: {} })
  await waitUntil(async () => (await list(browser)).data.some(({ trigger_id }) => trigger_id === trigger.id))
  const notification = (await list(browser)).data.find(({ trigger_id }) => trigger_id === trigger.id)
  expect(notification).toMatchObject({ title: 'Trigger needs attention: Broken trigger' })
})

test('outside of working hours a message waits, unless the rule says that its event is urgent', async () => {
  await saveQuietCalendar()
  expect(await saveRule({ calendar: 'quiet' })).toMatchObject({ status: 200, body: { calendar: 'quiet' } })
  const waiting = await support.ask({ title: 'Can wait?', assignees: ['user:bob'] })
  const rule = { calendar: 'quiet', urgent: ['intervention.requested'] }
  await waitUntil(async () => (await support.readLog(waiting.task.interventionId))?.status === 'pending')
  await waitUntil(
    async () =>
      (await inside(
        `select from channel_messages where intervention_id = $1 and start_due_at > now() + interval '1 day'`,
        [waiting.task.interventionId],
      )) === 1,
  )
  expect(sentTo(BOB, 'Can wait?')).toEqual([])
  expect(await saveRule(rule)).toMatchObject({ status: 200 })
  const urgent = await support.ask({ title: 'Urgent?', assignees: ['user:bob'] })
  await urgent.messageTo(BOB)
  expect(sentTo(BOB, 'Can wait?')).toEqual([])
  await inside('update channel_messages set start_due_at = now() where intervention_id = $1', [
    waiting.task.interventionId,
  ])
  await waiting.messageTo(BOB)
  await Promise.all([waiting, urgent].map(({ jobId }) => ann.post(`/v1/jobs/${jobId}/cancel`)))
})

test('a reminder that waits is not sent after the task is closed', async () => {
  await saveQuietCalendar()
  await saveRule({ calendar: 'quiet', urgent: ['intervention.requested'] })
  const { jobId, task } = await support.ask({ title: 'Closed first?', assignees: ['user:bob'], remind: ['PT1S'] })
  const untilReminder = (condition: string) =>
    waitUntil(
      async () =>
        (await inside(
          `select from channel_messages message join notifications on notifications.id = notification_id
            where notifications.intervention_id = $1 and ${condition}`,
          [task.interventionId],
        )) === 1,
    )
  await untilReminder(`start_due_at > now() + interval '1 day'`)
  await ann.post(`/v1/jobs/${jobId}/cancel`)
  await jobWith(ann, jobId, 'failed')
  await saveRule()
  await inside(
    `update channel_messages set start_due_at = now()
      where notification_id in (select id from notifications where intervention_id = $1)`,
    [task.interventionId],
  )
  await untilReminder(`message.status = 'skipped'`)
  expect(sentTo(BOB, 'Reminder: Closed first?')).toEqual([])
})

test('a rule sends only its events', async () => {
  await saveRule({ events: ['intervention.reminded'] })
  const { jobId, task } = await support.ask({ title: 'Only reminders?', assignees: ['user:bob'], remind: ['PT1S'] })
  await waitUntil(async () => sentTo(BOB, 'Reminder: Only reminders?').length === 1)
  expect(await support.readLog(task.interventionId)).toBeUndefined()
  await ann.post(`/v1/jobs/${jobId}/cancel`)
})

test('a digest lists the open tasks, and is sent once a day', async () => {
  const { body } = await saveRule({ events: [], digest: true })
  expect(Date.parse(body.digest_due_at ?? '')).toBeGreaterThan(Date.now())
  const { jobId } = await support.ask({ title: 'In the digest?', assignees: ['user:bob'] })
  await inside(`update notification_rules set digest_due_at = now() where subject = 'user:bob'`)
  await waitUntil(async () => sentTo(BOB, 'In the digest?').length === 1)
  expect(textOf(sentTo(BOB, 'In the digest?')[0]?.blocks ?? [])).toContain('open task')
  const rules = await support.manager.get<{ data: NotificationRuleView[] }>('/v1/notification-rules?subject=user:bob')
  expect(Date.parse(rules.body.data[0]?.digest_due_at ?? '')).toBeGreaterThan(Date.now())
  await ann.post(`/v1/jobs/${jobId}/cancel`)
})

test('a digest lists the tasks of groups only if the rule includes them', async () => {
  await inside(`update members set groups = '{group:audit}' where actor = 'user:bob'`)
  const tasks = await Promise.all([
    support.ask({ title: 'Digest for Bob?', assignees: ['user:bob'] }),
    support.ask({ title: 'Digest for the group?', assignees: ['group:audit'] }),
  ])
  const sendDigest = () => inside(`update notification_rules set digest_due_at = now() where subject = 'user:bob'`)
  await saveRule({ events: [], digest: true, includes_groups: false })
  await sendDigest()
  await waitUntil(async () => sentTo(BOB, 'Digest for Bob?').length === 1)
  expect(sentTo(BOB, 'Digest for the group?')).toEqual([])
  await saveRule({ events: [], digest: true })
  await sendDigest()
  await waitUntil(async () => sentTo(BOB, 'Digest for the group?').length === 1)
  await Promise.all(tasks.map(({ jobId }) => ann.post(`/v1/jobs/${jobId}/cancel`)))
})

test('a rule with an unknown calendar or event is rejected', async () => {
  expect(await saveRule({ calendar: 'nowhere' })).toMatchObject({
    status: 400,
    body: { details: [{ pointer: '/calendar' }] },
  })
  expect(await saveRule({ events: ['job.started'] })).toMatchObject({ status: 400 })
})

test('a member who links another account keeps the rule', async () => {
  await saveRule({ events: ['intervention.reminded'] })
  const bob = await signInAs(context.stack, context.workspace, 'user:bob', 'reviewer')
  expect(await bob.send('DELETE', '/v1/channel-accounts/support')).toMatchObject({ status: 204 })
  await support.link('user:bob', 'U0BOB00002')
  const { body } = await support.manager.get<{ data: NotificationRuleView[] }>(
    '/v1/notification-rules?subject=user:bob',
  )
  expect(body.data).toMatchObject([{ events: ['intervention.reminded'] }])
})
