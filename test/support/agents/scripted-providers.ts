import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { type SpeechServer, startSpeechServer } from '../speech/speech-server.ts'
import { type SlackServer, startSlackServer } from '../channels/slack-server.ts'
import { type ConnectedStack, connectSharedStack, type TestWorkspace } from '../stack/stack.ts'

/**
 * A stack with a scripted speech service and scripted models: `small`, `dear` at a dollar per output token, `narrow`,
 * `seeing`, which takes images, and any `anthropic:…`.
 */
interface ScriptedStack {
  stack: ConnectedStack
  models: ModelServer
  speech: SpeechServer
  slack: SlackServer
}

/** An hour of audio costs 36 dollars. */
const SPEECH_USD_PER_MINUTE = '0.6'

let providers: Promise<Pick<ScriptedStack, 'models' | 'speech' | 'slack'>> | undefined

/**
 * Connects to the stack that the test files of this process share one after the other, with providers that have no
 * scripted replies yet.
 */
export async function connectScriptedStack(): Promise<ScriptedStack> {
  providers ??= startProviders()
  const { models, speech, slack } = await providers
  models.reset()
  speech.reset()
  const env = {
    ...modelEnvironment(models),
    SPEECH_URL: speech.base_url,
    SPEECH_USD_PER_MINUTE,
    SLACK_API_URL: slack.url,
  }
  return { models, speech, slack, stack: await connectSharedStack({ env }) }
}

/** Uses the scripted stack for the tests of a file, with a workspace whose key acts as `user:ann`. */
export function useScriptedStack(): ScriptedStack & { workspace: TestWorkspace } {
  const context = {} as ReturnType<typeof useScriptedStack>
  beforeAll(async () => {
    Object.assign(context, await connectScriptedStack())
    context.workspace = await context.stack.workspace({ actor: 'user:ann' })
  })
  afterAll(() => context.stack?.stop())
  return context
}

/** Starts the providers, which end when their process ends. */
async function startProviders(): Promise<Pick<ScriptedStack, 'models' | 'speech' | 'slack'>> {
  const [models, speech, slack] = await Promise.all([startModelServer(), startSpeechServer(), startSlackServer()])
  for (const server of [models, speech, slack]) server.unref()
  return { models, speech, slack }
}

const MODELS: JsonObject[] = [
  { id: 'dear', usd_per_mtok: { input: 0, output: 1_000_000 } },
  { id: 'seeing', capabilities: ['text', 'vision'] },
  { id: 'narrow', context_window: 4_000, capabilities: ['text', 'tools'] },
]

export const modelEnvironment = ({ base_url }: ModelServer): Record<string, string> => ({
  MODEL_BASE_URL: base_url,
  MODEL_API_KEY: 'sk-scripted-secret',
  MODEL_DEFAULT: 'small',
  ANTHROPIC_BASE_URL: base_url,
  ANTHROPIC_API_KEY: 'sk-ant-scripted-secret',
  MODELS: JSON.stringify(MODELS),
})
