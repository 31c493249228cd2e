import { type Ledger, startLedger } from './ledger.ts'
import { type Stack, startStack, type TestWorkspace } from './stack.ts'

/** What a test file of the running product works with; filled in before its first test. */
export interface Place {
  stack: Stack
  ledger: Ledger
  /** A workspace whose key acts as `user:ann`. */
  home: TestWorkspace
}

/** One stack, ledger and workspace for all tests of a file. */
export function useStack(): Place {
  const place = {} as Place
  beforeAll(async () => {
    ;[place.stack, place.ledger] = await Promise.all([startStack(), startLedger()])
    place.home = await place.stack.workspace({ actor: 'user:ann' })
  })
  afterAll(async () => {
    await Promise.all([place.stack?.stop(), place.ledger?.close()])
  })
  return place
}
