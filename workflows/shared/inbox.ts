import { proxyLocalActivities } from '@temporalio/workflow'
import type { PathwayProjections, RunEnding } from '../../activities/types.ts'
import type { JobRef } from '../../domain/jobs.ts'
import { recordOptions } from '../record-options.ts'
import { nonCancellableHandler } from './scopes.ts'

const { findEnding } = proxyLocalActivities<PathwayProjections>(recordOptions)

type Handler<M> = (message: M) => void | Promise<void>

/**
 * Makes handlers that take messages one after the other, and none once the run's end is written.
 *
 * The workflow task in which a run ends writes that end, and is done again when the server refuses to close the run
 * because something has happened meanwhile. The SDK then hands out messages first, so without the question a message
 * would change a run whose end is already published. Such a run ends as it is written.
 */
export function createInbox(
  job: JobRef,
  endAs: (ending: RunEnding) => void,
): <M>(handle: Handler<M>) => (message: M) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return <M>(handle: Handler<M>) =>
    nonCancellableHandler((message: M) => {
      const handled = last.then(async () => {
        const ending = await findEnding({ job })
        if (ending) endAs(ending)
        else await handle(message)
      })
      last = handled.catch(() => undefined)
      return handled
    })
}
