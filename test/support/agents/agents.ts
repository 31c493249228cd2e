import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { type ModelReply, type ModelRequest, type ModelServer, startModelServer } from './model-server.ts'
import { connectScriptedStack, modelEnvironment } from './scripted-providers.ts'
import type { SlackServer } from '../channels/slack-server.ts'
import { type ConnectedStack, type Stack, startStack, type TestWorkspace } from '../stack/stack.ts'

/** Neurons that call scripted models. */
export interface AgentContext<S extends ConnectedStack = ConnectedStack> {
  stack: S
  models: ModelServer
  workspace: TestWorkspace
  /** Stores a neuron that calls the scripted model. Returns its id. */
  neuron(fields: JsonObject & { slug: string }): Promise<string>
  /** Scripts the model's replies to requests about `topic`, in step order. */
  plays(topic: string, ...replies: ModelReply[]): void
}

/** Uses the stack that test files share one after the other. */
export const useAgents = (): AgentContext & { slack: SlackServer } => {
  const context = openContext(connectScriptedStack) as AgentContext & { slack: SlackServer }
  afterAll(() => context.stack?.stop())
  return context
}

/** Uses a separate stack, for a test file that restarts processes or needs other settings. */
export function useOwnAgents(env: Record<string, string> = {}): AgentContext<Stack> {
  const context = openContext(async () => {
    const models = await startModelServer()
    return { models, stack: await startStack({ env: { ...modelEnvironment(models), ...env } }) }
  })
  afterAll(async () => {
    await context.stack?.stop()
    await context.models?.close()
  })
  return context
}

function openContext<S extends ConnectedStack>(
  open: () => Promise<{ stack: S; models: ModelServer }>,
): AgentContext<S> {
  const context = {} as AgentContext<S>
  beforeAll(async () => {
    const opened = await open()
    Object.assign(context, opened)
    const { stack, models } = opened
    context.workspace = await stack.workspace({ actor: 'user:ann' })
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
  return context
}

const asks = ({ turns }: ModelRequest, topic: string): boolean =>
  turns.some(({ role, text }) => role === 'user' && text.includes(topic))

/**
 * Returns which step of the current turn a request belongs to: one more than the replies since the last user message.
 */
export function countStep({ turns }: ModelRequest): number {
  const since = turns.slice(turns.findLastIndex(({ role, text }) => role === 'user' && !text.includes('Answer again')))
  return 1 + since.filter(({ role }) => role === 'assistant').length
}
