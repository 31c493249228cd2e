import vm from 'node:vm'
import { BaseVMWorkflow } from '@temporalio/worker/lib/workflow/vm-shared.js'

type Completion = ReturnType<BaseVMWorkflow['activate']>
type Activate = (this: BaseVMWorkflow, ...args: Parameters<BaseVMWorkflow['activate']>) => Completion
type RunInContext = (this: vm.Script, ...args: Parameters<vm.Script['runInContext']>) => unknown

const activate: Activate = Reflect.get(BaseVMWorkflow.prototype, 'activate')
const runInContext = Reflect.get(vm.Script.prototype, 'runInContext') as RunInContext

/** A script takes no arguments, so it calls the function stored under this key of `globalThis`. */
const ENTERED = 'ganglion.activation'
const enter = new vm.Script(`globalThis['${ENTERED}']()`)

/**
 * The SDK's time limit, which it passes to each sandbox entry. The limit is known before the first activation,
 * because the SDK creates a run first.
 */
let timeout: number | undefined

vm.Script.prototype.runInContext = function (context, options) {
  if (typeof options !== 'object') return runInContext.call(this, context, options)
  timeout = options.timeout ?? timeout
  return runInContext.call(this, context, { ...options, timeout: undefined })
}

/**
 * Loaded before Temporal's code in a workflow thread. The SDK enters the sandbox about five times per activation, and
 * again to create and dispose of a run. Each entry has a time limit, for which Node starts and stops a thread. This
 * takes 0.1 ms, or longer on busy processors. This module sets a single limit for the whole activation, which is
 * synchronous. An activation that exceeds the limit still fails. Only activations have a limit, because no other
 * entry runs workflow code (ADR 0105).
 */
BaseVMWorkflow.prototype.activate = async function (activation) {
  Object.assign(globalThis, { [ENTERED]: () => activate.call(this, activation) })
  // Not awaited here, because the limit covers the work until the promise is returned.
  return enter.runInThisContext({ timeout }) as Completion
}
