import { type Ledger, startLedger } from './ledger.ts'
import { type ConnectedStack, connectSharedStack, type Stack, startStack, type TestWorkspace } from './stack.ts'

/** What a test file of the running product works with; filled in before its first test. */
export interface Place<S extends ConnectedStack = Stack> {
  stack: S
  ledger: Ledger
  /** A workspace whose key acts as `user:ann`. */
  home: TestWorkspace
}

/** Ledger and workspace of a test file on the stack that the test files share. */
export const useStack = (): Place<ConnectedStack> => usePlace(connectSharedStack)

/** Stack, ledger and workspace of a test file that restarts processes, reads their logs or rebuilds the index. */
export const useOwnStack = (): Place => usePlace(startStack)

function usePlace<S extends ConnectedStack>(openStack: () => Promise<S>): Place<S> {
  const place = {} as Place<S>
  beforeAll(async () => {
    ;[place.stack, place.ledger] = await Promise.all([openStack(), startLedger()])
    place.home = await place.stack.workspace({ actor: 'user:ann' })
  })
  afterAll(async () => {
    await Promise.all([place.stack?.stop(), place.ledger?.close()])
  })
  return place
}
