import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KnownBlock, ModalView } from '@slack/web-api'
import { readBody, startHttpServer } from '../stack/http-server.ts'
import { waitUntil } from '../stack/process.ts'

/** A message as Slack keeps it. */
export interface StoredMessage {
  ts: string
  channel: string
  thread_ts?: string
  text: string
  blocks: KnownBlock[]
  metadata?: { event_type: string; event_payload: Record<string, unknown> }
  /** Set for a message that only one person sees. */
  user?: string
  /** All texts that the message has had, oldest first. */
  history: string[]
}

/** A file as Slack keeps it. Slack stores no content of external files. */
interface StoredFile {
  name: string
  mimetype: string
  content?: string
}

/** A Slack workspace that speaks the wire format of the Web API and of its requests to apps. */
export interface SlackServer {
  /** Value for SLACK_API_URL. */
  url: string
  token: string
  signingSecret: string
  teamId: string
  botUserId: string
  messages: StoredMessage[]
  views: { trigger_id: string; view: ModalView }[]
  /** Stores a file that a person attaches to a message. Returns its id. */
  addFile(file: StoredFile): string
  /** Returns the id of the conversation with the direct messages of a user. */
  directOf(user: string): string
  /** Makes the next call of a method, or the next download of a file, fail: before or after it takes effect. */
  fail(method: string, failure: Failure): void
  /** Holds the calls of a method until the returned function is called. */
  hold(method: string): () => void
  /** Resolves with the first message for which the condition is true. */
  untilMessage(fits: (message: StoredMessage) => boolean): Promise<StoredMessage>
  /** Sends a signed request to the app, as Slack does. */
  post(
    url: string,
    body: object,
    options?: { form?: boolean; headers?: Record<string, string>; secret?: string; at?: Date },
  ): Promise<SlackReply>
  close(): Promise<void>
  /** Lets the process exit while the server is open. */
  unref(): void
}

export interface SlackReply {
  status: number
  body: Record<string, unknown>
}

export type Failure =
  { error: string } | { status: number; headers?: Record<string, string> } | { body: string } | 'lost response'

type Call = (args: Record<string, string | undefined>) => object | { error: string }

const parse = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

const FILES = '/files/'

export async function startSlackServer(): Promise<SlackServer> {
  const token = `xoxb-${randomUUID()}`
  const signingSecret = randomUUID().replaceAll('-', '')
  const botUserId = 'U0BOT00001'
  const messages: StoredMessage[] = []
  const views: SlackServer['views'] = []
  const files = new Map<string, StoredFile>()
  const failures = new Map<string, Failure[]>()
  const holds = new Map<string, Promise<void>>()
  let sequence = 0
  const nextTs = () => `${Math.floor(Date.now() / 1_000)}.${String(++sequence).padStart(6, '0')}`
  const directOf = (user: string) => `D${user.slice(1)}`

  const find = (channel = '', ts = '') =>
    messages.find(message => message.channel === channel && message.ts === ts && message.user === undefined)
  const post = ({
    channel = '',
    text = '',
    blocks,
    thread_ts,
    metadata,
    user,
  }: Record<string, string | undefined>): { error: string } | { ok: true; ts: string; channel: string } => {
    if (!/^[CDG]/.test(channel)) return { error: 'channel_not_found' }
    const parsed = (parse(blocks) ?? []) as KnownBlock[]
    const problem = findBlockProblem(parsed)
    if (problem) return { error: problem }
    const ts = nextTs()
    messages.push({
      ts,
      channel,
      thread_ts,
      text,
      blocks: parsed,
      metadata: parse(metadata) as StoredMessage['metadata'],
      user,
      history: [text],
    })
    return { ok: true, ts, channel }
  }

  const present = ({ ts, text, thread_ts, metadata }: StoredMessage) => ({
    ts,
    text,
    thread_ts,
    metadata,
    type: 'message',
  })
  const calls: Record<string, Call> = {
    'auth.test': () => ({ team: 'Test team', team_id: slack.teamId, user_id: botUserId }),
    'conversations.open': ({ users = '' }) =>
      users.startsWith('U') ? { channel: { id: directOf(users) } } : { error: 'user_not_found' },
    'chat.postMessage': post,
    'chat.postEphemeral': args => (args['user'] === undefined ? { error: 'user_not_in_channel' } : post(args)),
    'chat.update': ({ channel, ts, text = '', blocks }) => {
      const message = find(channel, ts)
      if (!message) return { error: 'message_not_found' }
      const parsed = (parse(blocks) ?? []) as KnownBlock[]
      const problem = findBlockProblem(parsed)
      if (problem) return { error: problem }
      Object.assign(message, { text, blocks: parsed })
      message.history.push(text)
      return { ts, channel }
    },
    'conversations.history': ({ channel }) => ({
      messages: messages
        .filter(message => message.channel === channel && message.thread_ts === undefined && message.user === undefined)
        .toReversed()
        .map(present),
    }),
    'conversations.replies': ({ channel, ts }) => ({
      messages: messages
        .filter(message => message.channel === channel && message.thread_ts === ts && message.user === undefined)
        .map(present),
    }),
    'files.info': ({ file: id = '' }) => {
      const file = files.get(id)
      if (!file) return { error: 'file_not_found' }
      const { name, mimetype, content } = file
      const url = `${server.url}${FILES}${id}`
      return { file: { id, name, mimetype, ...(content !== undefined && { url_private_download: url }) } }
    },
    'views.open': ({ trigger_id = '', view }) => {
      const parsed = parse(view) as ModalView | undefined
      if (trigger_id === '') return { error: 'invalid_trigger' }
      if (!parsed || !/^.{1,24}$/u.test(parsed.title.text.trim()) || parsed.blocks.length > 100)
        return { error: 'invalid_arguments' }
      views.push({ trigger_id, view: parsed })
      return {}
    },
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').split('/').at(-1) ?? ''
    const args = Object.fromEntries(new URLSearchParams(await readBody(request)))
    await holds.get(method)
    const failure = failures.get(method)?.shift()
    const send = (body: object, status = 200, headers = {}) =>
      void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${token}`) return send({ ok: false, error: 'invalid_auth' })
    if (typeof failure === 'object' && 'status' in failure) return send({}, failure.status, failure.headers)
    if (request.url?.startsWith(FILES)) return void response.end(files.get(method)?.content)
    if (typeof failure === 'object' && 'body' in failure) return void response.end(failure.body)
    if (typeof failure === 'object') return send({ ok: false, ...failure })
    const result = calls[method]?.(args) ?? { error: 'unknown_method' }
    if (failure === 'lost response') return void request.socket.destroy()
    send({ ok: !('error' in result), ...result })
  }

  const server = await startHttpServer((request, response) => void reply(request, response))
  const slack: SlackServer = {
    url: `${server.url}/api/`,
    token,
    signingSecret,
    teamId: 'T0TEAM0001',
    botUserId,
    messages,
    views,
    addFile(file) {
      const id = `F${randomUUID()}`
      files.set(id, file)
      return id
    },
    directOf,
    fail: (method, failure) => void failures.set(method, [...(failures.get(method) ?? []), failure]),
    hold: method => {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(method, promise)
      return () => {
        holds.delete(method)
        resolve()
      }
    },
    untilMessage: fits =>
      waitUntil(
        async () => messages.find(fits),
        undefined,
        () => `messages: ${JSON.stringify(messages.map(({ channel, text, history }) => ({ channel, text, history })))}`,
      ),
    async post(url, body, { form = false, headers = {}, secret = signingSecret, at = new Date() } = {}) {
      const json = JSON.stringify(body)
      const raw = form ? new URLSearchParams({ payload: json }).toString() : json
      const timestamp = String(Math.floor(at.getTime() / 1_000))
      const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${raw}`).digest('hex')
      const response = await fetch(url, {
        method: 'POST',
        body: raw,
        headers: {
          'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json',
          'X-Slack-Request-Timestamp': timestamp,
          'X-Slack-Signature': `v0=${signature}`,
          ...headers,
        },
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
    },
    close: () => server.close(),
    unref: () => server.unref(),
  }
  return slack
}

/** The limits of blocks: https://docs.slack.dev/reference/block-kit/blocks */
function findBlockProblem(blocks: KnownBlock[]): string | undefined {
  if (blocks.length > 50) return 'invalid_blocks'
  const markdown = blocks.flatMap(block => (block.type === 'markdown' ? [block.text] : [])).join('')
  if (markdown.length > 12_000) return 'msg_too_long'
  const isValid = blocks.every(block => {
    if (block.type === 'header') return block.text.text.length > 0 && block.text.text.length <= 150
    if (block.type !== 'actions') return true
    const ids = block.elements.map(element => ('action_id' in element ? element.action_id : undefined))
    const values = block.elements.map(element => ('value' in element ? (element.value ?? '') : ''))
    return (
      block.elements.length <= 25 &&
      new Set(ids).size === ids.length &&
      values.every(value => typeof value !== 'string' || value.length <= 2_000)
    )
  })
  return isValid ? undefined : 'invalid_blocks'
}
