import { createECDH } from 'node:crypto'
import type { Page } from 'playwright-core'
import { execute } from '../../../data/shared/statements.ts'
import { useScriptedStack } from '../../support/agents/scripted-providers.ts'
import { startSmtpServer } from '../../support/channels/smtp-server.ts'
import { startTeamsServer } from '../../support/channels/teams-server.ts'
import { useConsoleOf } from '../../support/clients/console.ts'
import { pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'

const context = useConsoleOf(useScriptedStack())
const smtpServer = await startSmtpServer()
const teamsServer = await startTeamsServer()
afterAll(() => Promise.all([smtpServer.close(), teamsServer.close()]))

/** A calendar that the notification rules can refer to. */
const OFFICE = { name: 'office', time_zone: 'UTC', hours: { mon: ['09:00-17:00'] } }

test('an owner connects a channel, a member links an account and chooses notifications, and the channel is deleted', async () => {
  const { slack } = context
  const manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  await manager.call('PUT', '/v1/calendars', OFFICE)
  const { page, expectClean } = await context.visit('/console/settings?part=channels', { width: 320 })
  await page.getByText('No channels').waitFor()
  await expectClean()
  await page.getByLabel('Channel name').fill('desk')
  await page.getByLabel('Bot token').fill(slack.token)
  await page.getByLabel('Signing secret').fill(slack.signingSecret)
  await page.getByRole('button', { name: 'Connect' }).click()
  const url = (await page.getByText('/v1/public/channels/').textContent()) ?? ''
  await page.getByText('Test team').waitFor()
  await expectClean()

  const member = await context.visit('/console/settings?part=notifications', { actor: 'user:bo', role: 'reviewer' })
  await member.page.getByRole('button', { name: 'Link account: desk' }).click()
  const text = await member.page.getByRole('status').getByText('Send this direct message').textContent()
  const [code = ''] = /link [A-Z0-9]{8}/.exec(text ?? '') ?? []
  await member.expectClean()
  const event = { type: 'message', channel_type: 'im', channel: slack.directOf('U0BO000001'), user: 'U0BO000001' }
  const body = { type: 'event_callback', team_id: slack.teamId, event_id: 'Ev-link' }
  await slack.post(new URL(url, context.stack.baseUrl).href, { ...body, event: { ...event, text: code, ts: '1.1' } })
  await member.page.reload()
  await member.page.getByText('Linked to U0BO000001').waitFor()
  const form = member.page.getByRole('form', { name: 'Notifications in desk' })
  await form.getByLabel('Working hours').selectOption('office')
  await form.getByLabel('Reminders').selectOption('Always')
  await form.getByLabel('Failed runs').selectOption('Never')
  await form.getByLabel(/working morning/).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').getByText('Saved').waitFor()
  await member.expectClean()
  const rules = await manager.get<{ data: object[] }>('/v1/notification-rules?subject=user:bo')
  expect(rules.body.data).toMatchObject([
    { channel: 'desk', calendar: 'office', urgent: ['intervention.reminded'], digest_due_at: expect.any(String) },
  ])
  expect(rules.body.data).not.toMatchObject([{ events: expect.arrayContaining(['job.failed']) }])

  await page.getByRole('button', { name: 'Delete desk' }).click()
  await page.getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('No channels').waitFor()
})

test('an owner connects email, sees errors at their fields, and replaces settings without entering them again', async () => {
  const { page, expectClean } = await context.visit('/console/settings?part=channels', { scheme: 'dark', width: 320 })
  await page.getByLabel('Service').selectOption('Email')
  await page.getByLabel('Channel name').fill('mail')
  await page.getByLabel('From address').fill('agent@example.com')
  const smtp = page.getByRole('group', { name: 'SMTP server' })
  await smtp.getByLabel('Host').fill('127.0.0.1')
  await smtp.getByLabel('Port').fill(String(smtpServer.port))
  await smtp.getByLabel('Security').selectOption('None, without a password')
  await smtp.getByLabel('User').fill('agent')
  await page.getByRole('button', { name: 'Connect' }).click()
  await smtp.getByText('must be set together with user').waitFor()
  await expectClean()
  await smtp.getByLabel('User').fill('')
  await page.getByLabel('Receive mail').check()
  const imap = page.getByRole('group', { name: 'Mailbox' })
  await imap.getByLabel('Host').fill('127.0.0.1')
  await imap.getByLabel('Port').fill(String(smtpServer.port))
  await imap.getByLabel('User').fill('agent')
  await imap.getByLabel('Password').fill('correct-horse-battery')
  await page.getByRole('button', { name: 'Connect' }).click()
  await imap.getByText('Required.').waitFor()
  await imap.getByLabel('Server name').fill('mx.example.com')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.locator('.field-error').getByText('is not accepted: IMAP').waitFor()
  await expectClean()
  await page.getByLabel('Receive mail').uncheck()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Email, agent@example.com').waitFor()

  await page.getByRole('button', { name: 'Change mail' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change mail' })
  expect(await dialog.getByLabel('Port').inputValue()).toBe(String(smtpServer.port))
  expect(await dialog.getByLabel('Password').inputValue()).toBe('')
  await expectClean()
  await dialog.getByLabel('From address').fill('help@example.com')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Email, help@example.com').waitFor()

  const member = await context.visit('/console/settings?part=notifications', { actor: 'user:bo', role: 'reviewer' })
  await member.page.getByText("You can't link an address, because the channel has no mailbox.").waitFor()
  expect(await member.page.getByRole('button', { name: 'Link account: mail' }).count()).toBe(0)
  await member.expectClean()
})

test('an administrator adds, changes and deletes the notification rules of groups and members', async () => {
  const { slack } = context
  await context.createLink({ actor: 'user:dee', role: 'reviewer', groups: ['group:finance'] })
  const manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  const credentials = { bot_token: slack.token, signing_secret: slack.signingSecret }
  await manager.call('PUT', '/v1/channels', { name: 'ops', type: 'slack', ...credentials })
  await manager.call('PUT', '/v1/channels', { name: 'team', type: 'teams', webhook_url: teamsServer.url })
  await manager.call('PUT', '/v1/calendars', { ...OFFICE, name: 'shifts' })
  const { page, expectClean } = await context.visit('/console/settings?part=rules', {
    actor: 'user:ed',
    role: 'admin',
    width: 320,
  })
  await page.getByText('No notification rules').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Add rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Channel').selectOption('ops')
  await dialog.getByLabel('Group or member').selectOption('user:dee')
  await dialog.getByLabel('Failed runs').waitFor()
  await dialog.getByLabel('Include group tasks').waitFor()
  expect(await dialog.getByLabel('Conversation').count()).toBe(0)
  await dialog.getByLabel('Group or member').selectOption('group:finance')
  await dialog.getByLabel('Failed runs').waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Include group tasks').count()).toBe(0)
  await dialog.getByLabel('Conversation').fill('finance@example.com')
  await dialog.getByLabel('Working hours').selectOption('shifts')
  await dialog.getByLabel('Reminders').selectOption('Never')
  await dialog.getByLabel('Escalations').selectOption('Always')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Conversation').getAttribute('aria-invalid')).toBe('true')
  await expectClean()
  await dialog.getByLabel('Conversation').fill('C012AB3CD')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('ops, C012AB3CD').waitFor()
  await expectClean()

  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('Group or member').selectOption('group:finance')
  await dialog.getByLabel('Channel').selectOption('team')
  await dialog.getByLabel('Reminders').waitFor()
  expect(await dialog.getByLabel('Conversation').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Change group:finance in ops' }).click()
  await dialog.getByLabel('Reminders').selectOption('Always')
  await dialog.getByLabel(/working morning/).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Open tasks each working morning').waitFor()
  const rules = await manager.get<{ data: object[] }>('/v1/notification-rules?subject=group:finance')
  const urgent = ['intervention.reminded', 'intervention.escalated']
  const ofOps = { conversation: 'C012AB3CD', calendar: 'shifts', events: ['intervention.requested', ...urgent], urgent }
  expect(rules.body.data).toHaveLength(2)
  expect(rules.body.data).toContainEqual(expect.objectContaining({ channel: 'ops', ...ofOps }))
  expect(rules.body.data).toContainEqual(expect.objectContaining({ channel: 'team', conversation: null }))

  for (const channel of ['ops', 'team']) {
    await page.getByRole('button', { name: `Delete group:finance in ${channel}` }).click()
    await page.getByRole('button', { name: 'Delete rule' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.getByText('No notification rules').waitFor()
})

test('the navigation counts unread notifications, and the page lists them and marks them as read', async () => {
  const { client } = context.workspace
  const { page, expectClean } = await context.visit('/console/notifications', { actor: 'user:cy', role: 'reviewer' })
  await page.getByText('No notifications').waitFor()
  const ask = { id: 'ask', type: 'human', kind: 'approval', title: 'Ring?', assignees: ['user:cy'] }
  const end = { id: 'done', type: 'end', output: 1 }
  const jobId = await startRun(client, pathway([ask, end], 'ask.approve > done', 'ask.reject > done'))
  await page.getByRole('link', { name: 'New task: Ring?' }).waitFor()
  await page.getByTitle('1 unread notification').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByTitle('1 unread notification').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'New task: Ring?' }).click()
  await page.getByRole('heading', { name: 'Ring?' }).waitFor()
  await client.post(`/v1/jobs/${jobId}/cancel`)
})

/** Replaces the subscription, for which browsers need their push service. */
const FAKE_SUBSCRIPTION = `{
  const key = 'test-subscription'
  const isOn = () => sessionStorage.getItem(key) !== null
  const subscription = {
    endpoint: 'https://push.example.com/1',
    toJSON: () => ({ endpoint: subscription.endpoint, keys: KEYS }),
  }
  PushManager.prototype.getSubscription = async () => (isOn() ? subscription : null)
  PushManager.prototype.subscribe = async function (options) {
    sessionStorage.setItem(key, options.applicationServerKey)
    return subscription
  }
  const unregister = ServiceWorkerRegistration.prototype.unregister
  ServiceWorkerRegistration.prototype.unregister = function () {
    sessionStorage.removeItem(key)
    return unregister.call(this)
  }
}`

/** Delivers a push message to the only service worker, as the browser does when its push service sends one. */
async function openPush(page: Page, scope: string): Promise<(data: object) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>(resolve => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL === scope)
      if (registration) resolve(registration.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const { origin } = new URL(scope)
  return async data => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) })
  }
}

test('an owner creates a web push channel, and a member turns notifications on in a browser, reads one and turns them off', async () => {
  const { stack } = context
  const owner = await context.visit('/console/settings?part=channels', { width: 320 })
  await owner.page.getByLabel('Service').selectOption('Web push')
  await owner.page.getByLabel('Channel name').fill('browsers')
  await owner.page.getByLabel('Contact address').fill('ops@example.com')
  await owner.page.getByRole('button', { name: 'Connect' }).click()
  await owner.page.getByText('Web push, ops@example.com').waitFor()
  await owner.expectClean()

  const {
    page,
    context: browser,
    expectClean,
  } = await context.visit('/console/', { actor: 'user:di', role: 'reviewer' })
  await browser.grantPermissions(['notifications'])
  const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) }
  await page.addInitScript(FAKE_SUBSCRIPTION.replace('KEYS', JSON.stringify(keys)))
  await page.goto('/console/settings?part=notifications')
  await page.getByText('Off in this browser').waitFor()
  await expectClean()
  await page.getByRole('button', { name: 'Turn on browsers in this browser' }).click()
  await page.getByText('On in this browser').waitFor()
  await page.reload()
  await page.getByText('On in this browser').waitFor()
  await expectClean()

  const publicKey = await page.evaluate<string>(`sessionStorage.getItem('test-subscription')`)
  const scope = `${stack.baseUrl}/console/push/${publicKey}/`
  const deliver = await openPush(page, scope)
  const show = { title: 'New task: Pay?', body: 'For user:di', url: `${stack.baseUrl}/console/inbox`, tag: 'one' }
  await deliver({ ...show, title: 'Replaced' })
  await deliver(show)
  const read = `navigator.serviceWorker.getRegistration('${scope}')
    .then(registration => registration.getNotifications())
    .then(notifications => notifications.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })))`
  await waitUntil(async () => (await page.evaluate<{ title: string }[]>(read))[0]?.title === show.title)
  expect(await page.evaluate(read)).toEqual([show])

  await page.getByRole('button', { name: 'Turn off browsers in this browser' }).click()
  await page.getByText('Off in this browser').waitFor()
  const count = await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
    execute(tx, 'select from push_subscriptions'),
  )
  expect(count).toBe(0)
})

test('a browser that blocks notifications, and one without them, says so', async () => {
  const manager = await context.workspace.permittedTo('access:manage', 'interventions:read')
  await manager.call('PUT', '/v1/channels', { name: 'browsers', type: 'web_push', contact: 'ops@example.com' })
  const settings = '/console/settings?part=notifications'
  const { page, expectClean } = await context.visit('/console/', { actor: 'user:flo', role: 'reviewer' })
  await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`)
  await page.goto(settings)
  await page.getByText('Blocked by the browser').waitFor()
  await expectClean()
  await page.addInitScript('delete window.PushManager')
  await page.reload()
  await page.getByText('Not supported by this browser').waitFor()
  await expectClean()
})
