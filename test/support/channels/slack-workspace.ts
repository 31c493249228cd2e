import { randomUUID } from 'node:crypto'
import type { KnownBlock, ModalView } from '@slack/web-api'
import type { ChannelView } from '../../../contract/channels/channel.ts'
import type { LinkCode } from '../../../contract/channels/channel-account.ts'
import type { ChannelMessageView } from '../../../contract/channels/channel-message.ts'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { FieldState } from '../../../services/channels/slack/task-modal.ts'
import { signInAs } from '../access/sign-in.ts'
import type { Answer, ApiClient } from '../clients/client.ts'
import { asked, pathway, startRun } from '../runs/runs.ts'
import type { ConnectedStack, TestWorkspace } from '../stack/stack.ts'
import type { SlackReply, SlackServer, StoredMessage } from './slack-server.ts'

/** The Slack users of members who have linked their accounts. */
export const USERS = { 'user:bob': 'U0BOB00001', 'user:cleo': 'U0CLEO0001' } as const

/** A question of a run, and the messages about it. */
export interface Asked {
  jobId: string
  task: WaitingFor
  /** Resolves with the message about the task to a Slack user. */
  messageTo(user: string): Promise<StoredMessage>
  /** Returns all messages about the task. */
  messages(): StoredMessage[]
}

/** A workspace with the channel `support`, to which Bob and Cleo have linked their accounts. */
export interface SlackWorkspace {
  /** The address to which Slack sends its requests. */
  url: string
  /** Saves a channel. Slack checks its credentials. */
  saveChannel(name: string, fields?: object): Promise<Answer<ChannelView>>
  /** Calls the API with the permission to manage channels. */
  manager: ApiClient
  /** Links a Slack user to a member. */
  link(actor: string, user: string, channel?: string): Promise<void>
  /** Builds the event for a direct message. */
  message(user: string, text: string, fields?: object): { event: { ts: string } }
  /** Starts a run that asks. */
  ask(question: { title: string; kind?: string; [field: string]: unknown }, by?: ApiClient): Promise<Asked>
  click(user: string, at: StoredMessage, action_id: string): Promise<SlackReply>
  /** Submits a modal with the states of its fields. */
  submit(user: string, view: ModalView | undefined, states: Record<string, FieldState>): Promise<SlackReply>
  readTask(id: string): Promise<InterventionView>
  /** Reads the channel `support`. */
  readChannel(): Promise<ChannelView>
  /** Returns the log entry of the message about a task. */
  readLog(interventionId: string): Promise<ChannelMessageView | undefined>
}

export const listButtons = ({ blocks }: Pick<StoredMessage, 'blocks'>) =>
  blocks
    .flatMap(block => (block.type === 'actions' ? block.elements : []))
    .flatMap(element => (element.type === 'button' ? [element] : []))

export const textOf = (blocks: KnownBlock[]): string => JSON.stringify(blocks)

let clock = 0
const newTs = () => `17000000${String(++clock).padStart(2, '0')}.000100`

export async function openSlackWorkspace(
  slack: SlackServer,
  { stack, workspace }: { stack: ConnectedStack; workspace: TestWorkspace },
): Promise<SlackWorkspace> {
  const { client } = workspace
  const manager = await workspace.permittedTo('access:manage', 'interventions:read')

  const saveChannel: SlackWorkspace['saveChannel'] = (name, fields = {}) =>
    manager.call<ChannelView>('PUT', '/v1/channels', {
      name,
      type: 'slack',
      bot_token: slack.token,
      signing_secret: slack.signingSecret,
      ...fields,
    })

  const message: SlackWorkspace['message'] = (user, text, fields = {}) => ({
    type: 'event_callback',
    team_id: slack.teamId,
    event_id: `Ev${randomUUID()}`,
    event: { type: 'message', channel_type: 'im', channel: slack.directOf(user), user, text, ts: newTs(), ...fields },
  })

  const { body: channel } = await saveChannel('support')
  const url = 'request_url' in channel ? channel.request_url : ''

  async function link(actor: string, user: string, channel = 'support'): Promise<void> {
    const browser = await signInAs(stack, workspace, actor, 'reviewer')
    const { body } = await browser.send('POST', `/v1/channel-accounts/${channel}/code`)
    const { code } = body as unknown as LinkCode
    await slack.post(url.replace(/support$/, channel), message(user, `link ${code.toLowerCase()}`))
    await slack.untilMessage(
      ({ channel, text }) => channel === slack.directOf(user) && text.includes(`linked to ${actor}`),
    )
  }
  for (const [actor, user] of Object.entries(USERS)) await link(actor, user)

  return {
    url,
    manager,
    saveChannel,
    link,
    message,
    async ask(question, by = client) {
      const node = { id: 'review', type: 'human', kind: 'approval', ...question }
      const end = { id: 'done', type: 'end', output: '${nodes.review.output}' }
      const lines =
        question.kind === 'form' ? ['review.submit_input > done'] : ['review.approve > done', 'review.reject > done']
      const jobId = await startRun(by, pathway([node, end], ...lines))
      const [task] = await asked(client, jobId)
      if (!task) throw new Error('the run asks nothing')
      const isAbout = ({ blocks, user }: StoredMessage) => user === undefined && textOf(blocks).includes(task.title)
      return {
        jobId,
        task,
        messageTo: user => slack.untilMessage(message => message.channel === slack.directOf(user) && isAbout(message)),
        messages: () => slack.messages.filter(isAbout),
      }
    },
    click(user, at, action_id) {
      const button = listButtons(at).find(button => button.action_id === action_id)
      if (!button) throw new Error(`no button ${action_id} in ${textOf(at.blocks)}`)
      const body = {
        type: 'block_actions',
        team: { id: slack.teamId },
        trigger_id: randomUUID(),
        user: { id: user },
        channel: { id: at.channel },
        actions: [{ action_id, value: button.value }],
      }
      return slack.post(url, body, { form: true })
    },
    submit(user, view, states) {
      const { callback_id, private_metadata } = view ?? {}
      const values = Object.fromEntries(Object.entries(states).map(([name, state]) => [name, { [name]: state }]))
      const body = {
        type: 'view_submission',
        team: { id: slack.teamId },
        user: { id: user },
        view: { callback_id, private_metadata, state: { values } },
      }
      return slack.post(url, body, { form: true })
    },
    readTask: async id => (await client.get<InterventionView>(`/v1/interventions/${id}`)).body,
    readChannel: async () => (await manager.get<ChannelView>('/v1/channels/support')).body,
    async readLog(interventionId) {
      const { body } = await manager.get<{ data: ChannelMessageView[] }>('/v1/channels/support/messages')
      return body.data.find(({ intervention_id }) => intervention_id === interventionId)
    },
  }
}
