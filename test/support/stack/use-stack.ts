import { type Ledger, startLedger } from '../shared/ledger.ts'
import { type ConnectedStack, connectSharedStack, type Stack, startStack, type TestWorkspace } from './stack.ts'

/** The context of a test file for the running product. It is set before the first test. */
export interface TestContext<S extends ConnectedStack = Stack> {
  stack: S
  ledger: Ledger
  /** A workspace whose key acts as `user:ann`. */
  workspace: TestWorkspace
}

/** The ledger and the workspace of a test file, on the stack that the test files share. */
export const useStack = (): TestContext<ConnectedStack> => openContext(connectSharedStack)

/** The stack, ledger and workspace of a test file that restarts processes, reads their logs or rebuilds the index. */
export const useOwnStack = (): TestContext => openContext(startStack)

/** Opens a context on a stack with other settings. */
export function openContext<S extends ConnectedStack>(openStack: () => Promise<S>): TestContext<S> {
  const context = {} as TestContext<S>
  beforeAll(async () => {
    ;[context.stack, context.ledger] = await Promise.all([openStack(), startLedger()])
    context.workspace = await context.stack.workspace({ actor: 'user:ann' })
  })
  afterAll(async () => {
    await Promise.all([context.stack?.stop(), context.ledger?.close()])
  })
  return context
}
