import type { ComponentName } from '../../dev/components/component.ts'
import { startLedger } from '../support/ledger.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { startStack } from '../support/stack.ts'
import type { Place } from '../support/use-stack.ts'
import { type OwnComponents, startOwnComponents } from './own-components.ts'

export interface FaultPlace extends Place {
  model: ModelServer
  components: OwnComponents
}

/** A stack for one test file, beside a ledger and a model server, with the named components of its own to stop. */
export function useFaultPlace(...own: ComponentName[]): FaultPlace {
  const place = {} as FaultPlace
  beforeAll(async () => {
    ;[place.ledger, place.model, place.components] = await Promise.all([
      startLedger(),
      startModelServer(),
      startOwnComponents(...own),
    ])
    const env = { MODEL_BASE_URL: place.model.base_url, MODEL_DEFAULT: 'scripted' }
    place.stack = await startStack({ components: place.components.env, env })
    place.home = await place.stack.workspace({ actor: 'user:ann' })
  })
  afterAll(async () => {
    await place.stack?.stop()
    await Promise.all([place.ledger?.close(), place.model?.close(), place.components?.discard()])
  })
  return place
}
