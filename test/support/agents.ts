import type { JsonObject } from '../../domain/json.ts'
import { type ModelReply, type ModelRequest, type ModelServer, startModelServer } from './model-server.ts'
import { type Stack, startStack, type TestWorkspace } from './stack.ts'

/** A stack whose models are scripted: `small`, `dear` at a dollar a token that it says, and any `anthropic:…`. */
export interface AgentContext {
  stack: Stack
  models: ModelServer
  workspace: TestWorkspace
  /** Stores a neuron that asks the scripted model; gives its id. */
  neuron(fields: JsonObject & { slug: string }): Promise<string>
  /** Scripts what the model answers to requests about `topic`, in order of their steps. */
  plays(topic: string, ...replies: ModelReply[]): void
}

export function useAgents(options: { env?: Record<string, string> } = {}): AgentContext {
  const context = {} as AgentContext
  beforeAll(async () => {
    const models = await startModelServer()
    context.models = models
    context.stack = await startStack({ env: { ...modelEnvironment(models), ...options.env } })
    context.workspace = await context.stack.workspace({ actor: 'user:ann' })
    context.neuron = async fields => {
      const { status, body } = await context.workspace.client.post<{ id: string }>('/v1/neurons', {
        title: fields.slug,
        ...fields,
      })
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body.id
    }
    context.plays = (topic, ...replies) => {
      models.on(request =>
        asks(request, topic) ? replies[Math.min(countStep(request), replies.length) - 1] : undefined,
      )
    }
  })
  afterAll(async () => {
    await context.stack?.stop()
    await context.models?.close()
  })
  return context
}

export const modelEnvironment = ({ base_url }: ModelServer): Record<string, string> => ({
  MODEL_BASE_URL: base_url,
  MODEL_API_KEY: 'sk-scripted-secret',
  MODEL_DEFAULT: 'small',
  ANTHROPIC_BASE_URL: base_url,
  ANTHROPIC_API_KEY: 'sk-ant-scripted-secret',
  MODELS: JSON.stringify([{ id: 'dear', usd_per_mtok: { input: 0, output: 1_000_000 } }]),
})

const asks = ({ turns }: ModelRequest, topic: string): boolean =>
  turns.some(({ role, text }) => role === 'user' && text.includes(topic))

/** Which step of the present turn a request is: one more than the answers since the user spoke last. */
export function countStep({ turns }: ModelRequest): number {
  const since = turns.slice(turns.findLastIndex(({ role, text }) => role === 'user' && !text.includes('Answer again')))
  return 1 + since.filter(({ role }) => role === 'assistant').length
}
