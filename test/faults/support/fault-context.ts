import type { ComponentName } from '../../../dev/components/component.ts'
import { startLedger } from '../../support/shared/ledger.ts'
import { type ModelServer, startModelServer } from '../../support/agents/model-server.ts'
import { startStack } from '../../support/stack/stack.ts'
import type { TestContext } from '../../support/stack/use-stack.ts'
import { type OwnComponents, startOwnComponents } from './own-components.ts'

export interface FaultContext extends TestContext {
  model: ModelServer
  components: OwnComponents
}

/**
 * Starts a stack for one test file, with a ledger and a model server. The named components are started separately and
 * can be stopped.
 */
export function useFaultContext(...own: ComponentName[]): FaultContext {
  const context = {} as FaultContext
  beforeAll(async () => {
    ;[context.ledger, context.model, context.components] = await Promise.all([
      startLedger(),
      startModelServer(),
      startOwnComponents(...own),
    ])
    const env = { MODEL_BASE_URL: context.model.base_url, MODEL_DEFAULT: 'scripted' }
    context.stack = await startStack({ components: context.components.env, env })
    context.workspace = await context.stack.workspace({ actor: 'user:ann' })
  })
  afterAll(async () => {
    await context.stack?.stop()
    await Promise.all([context.ledger?.close(), context.model?.close(), context.components?.discard()])
  })
  return context
}
