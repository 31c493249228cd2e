// Only this file waits for conditions: a lint rule forbids it in other workflow code.
// oxlint-disable-next-line eslint/no-restricted-imports
import { condition } from '@temporalio/workflow'
import type { Duration } from '@temporalio/common'
import { perRun } from './run/per-run.ts'
import { nonCancellable } from './scopes.ts'

/** Whether one of the run's conditions was met since the last check. */
const getTurn = perRun(() => ({ wasMet: false }))

/** Resolves when the condition holds. With a timeout, resolves to true in that case, and to false after the timeout. */
export function waitUntil(holds: () => boolean): Promise<void>
export function waitUntil(holds: () => boolean, timeout: Duration): Promise<boolean>
export function waitUntil(holds: () => boolean, timeout?: Duration): Promise<boolean | void> {
  const check = () => {
    const isMet = holds()
    if (isMet) getTurn().wasMet = true
    return isMet
  }
  return timeout === undefined ? condition(check) : condition(check, timeout)
}

/**
 * Resolves when the run has handled everything else in this activation, however many microtasks that takes.
 *
 * The SDK passes the jobs of an activation to the run and drains the microtask queue. It then checks the blocked
 * conditions and drains the queue again, until no condition is met ("tryUnblockConditionsAndMicrotasks" in
 * `@temporalio/worker/src/workflow/vm-shared.ts`). A condition added while microtasks run is therefore met when no
 * microtask is left. If others were met in the same check, their handlers have not finished yet, and another check is
 * needed.
 */
export async function untilAllHandled(): Promise<void> {
  const turn = getTurn()
  do {
    turn.wasMet = false
    await nonCancellable(untilNextCheck)
  } while (turn.wasMet)
}

/** The first call is made by `condition` itself, while microtasks are left. */
function untilNextCheck(): Promise<void> {
  let isBlocked = false
  return condition(() => {
    const wasBlocked = isBlocked
    isBlocked = true
    return wasBlocked
  })
}
