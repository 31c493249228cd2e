import vm from 'node:vm'
import { BaseVMWorkflow } from '@temporalio/worker/lib/workflow/vm-shared.js'

type Completion = ReturnType<BaseVMWorkflow['activate']>
type Activate = (this: BaseVMWorkflow, ...args: Parameters<BaseVMWorkflow['activate']>) => Completion
type RunInContext = (this: vm.Script, ...args: Parameters<vm.Script['runInContext']>) => unknown

const activate: Activate = Reflect.get(BaseVMWorkflow.prototype, 'activate')
const runInContext = Reflect.get(vm.Script.prototype, 'runInContext') as RunInContext

/** Calls the function under this key of `globalThis`: a script takes no arguments. */
const ENTERED = 'ganglion.activation'
const enter = new vm.Script(`globalThis['${ENTERED}']()`)

/** The SDK's limit, which each of its entries names. It creates a run before it activates it, so the limit is known then. */
let timeout: number | undefined

vm.Script.prototype.runInContext = function (context, options) {
  if (typeof options !== 'object') return runInContext.call(this, context, options)
  timeout = options.timeout ?? timeout
  return runInContext.call(this, context, { ...options, timeout: undefined })
}

/**
 * Loaded before Temporal's code in a workflow thread. The SDK enters the sandbox about five times for each activation of a
 * run, and to create and to dispose of it, each time with a time limit, for which Node starts and ends a thread: 0.1 ms, and
 * more where the processors are busy. Here one limit covers the whole activation, all of which is synchronous; what exceeds it
 * fails the activation, as before. Only activations have one: the code of a run is in no other entry (ADR 0133).
 */
BaseVMWorkflow.prototype.activate = async function (activation) {
  Object.assign(globalThis, { [ENTERED]: () => activate.call(this, activation) })
  // Not awaited here: the limit covers what is done until the promise is returned.
  return enter.runInThisContext({ timeout }) as Completion
}
