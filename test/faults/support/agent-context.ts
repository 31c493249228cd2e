import type { JobDetail } from '../../../contract/runs/job.ts'
import { type AgentContext, useOwnAgents } from '../../support/agents/agents.ts'
import { type Ledger, type LedgerRequest, startLedger } from '../../support/shared/ledger.ts'
import type { ModelReply, ModelRequest } from '../../support/agents/model-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import type { Stack } from '../../support/stack/stack.ts'
import { jobWith } from '../../support/runs/runs.ts'
import { followThrough, type Reading } from './follow-through.ts'

/** A context with agents, a desk (tools of an HTTP API that records its requests) and a person. */
export interface AgentFaultContext extends AgentContext<Stack> {
  ledger: Ledger
  /** Starts a run. Returns its job id. */
  start(neuron: string, message: string): Promise<string>
  /** Starts a run, and reads its stream from the beginning. */
  follow(neuron: string, message: string): Promise<{ jobId: string; reading: Reading }>
  /** Returns all model requests about a topic. */
  questions(topic: string): ModelRequest[]
  /** Returns the desk requests with this text in their note. */
  bookings(note: string): LedgerRequest[]
  /** Returns the end of the run with its thread, and expects no duplicates in the thread. */
  end(jobId: string): Promise<{ job: JobDetail; messages: Message[] }>
}

interface Message {
  role: string
  text?: string
  call_id?: string
  output?: unknown
  is_error?: boolean
}

export function useAgentFaults(): AgentFaultContext {
  const context = useOwnAgents() as AgentFaultContext
  beforeAll(async () => {
    context.ledger = await startLedger()
    const { client } = context.workspace
    const make = async (document: object, slug: string) => {
      const { status, body } = await client.post('/v1/reflexes', { title: slug, slug, ...document })
      if (status !== 201) throw new Error(JSON.stringify(body))
    }
    await make({ source: 'openapi', openapi: deskApi(context.ledger.url) }, 'desk')
    await make({ source: 'builtin', tools: [{ name: 'ask_human' }] }, 'people')
    await context.neuron({
      slug: 'clerk',
      neuron_type: 'agent',
      tools: [{ reflex: 'desk', approval: 'never' }, { reflex: 'people' }],
    })
    await context.neuron({
      slug: 'other-clerk',
      neuron_type: 'agent',
      model: 'anthropic:scripted',
      tools: [{ reflex: 'desk', approval: 'never' }, { reflex: 'people' }],
    })
    Object.assign(context, reading(context))
  })
  afterAll(() => context.ledger?.close())
  return context
}

function reading(context: AgentFaultContext): Partial<AgentFaultContext> {
  const start: AgentFaultContext['start'] = async (neuron, message) => {
    const invoked = { message, stream: true }
    const { status, body } = await context.workspace.client.post<{ job_id: string }>(
      `/v1/neurons/${neuron}/invoke`,
      invoked,
    )
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body.job_id
  }
  return {
    start,
    follow: async (neuron, message) => {
      const jobId = await start(neuron, message)
      return { jobId, reading: followThrough(context.workspace.client, jobId) }
    },
    questions: topic =>
      context.models.requests.filter(({ turns }) =>
        turns.some(({ role, text }) => role === 'user' && text.includes(topic)),
      ),
    bookings: note => context.ledger.requests.filter(({ body }) => body.includes(note)),
    end: async jobId => {
      const job = await jobWith(context.workspace.client, jobId)
      const { body } = await context.workspace.client.get<{ messages: Message[] }>(`/v1/traces/${job.trace_id}`)
      const { messages } = body
      expect(new Set(messages.map(message => JSON.stringify(message))).size).toBe(messages.length)
      return { job, messages }
    },
  }
}

/** A booking call. Its effect is immediate, but the response may be slow or an error. See `startLedger`. */
export const book = (note: string, more: object = {}) => ({ name: 'book', args: { body: { note }, ...more } })

/** Returns a model reply that waits until `release` is called. */
export function held(reply: ModelReply): { reply: ModelReply; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { reply: { ...reply, wait: promise }, release: resolve }
}

export const seen = <T>(check: () => T | false | undefined) => waitUntil(check)

const query = (name: string, type: string) => ({ name, in: 'query', schema: { type } })
const responses = { 200: { description: 'fine' } }

const deskApi = (url: string) => ({
  openapi: '3.0.3',
  info: { title: 'Desk', version: '1' },
  servers: [{ url }],
  paths: {
    '/book': {
      post: {
        operationId: 'book',
        parameters: [
          query('delay_ms', 'integer'),
          query('hang', 'boolean'),
          query('fail', 'integer'),
          query('status', 'integer'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['note'], properties: { note: { type: 'string' } } },
            },
          },
        },
        responses,
      },
    },
    '/look': { get: { operationId: 'look', parameters: [query('hang', 'boolean')], responses } },
  },
})
