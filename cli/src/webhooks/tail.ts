import type { Ganglion, Query, WorkspaceEvent } from '@ganglion/client'
import type { Context } from '../shared/command.ts'

/** Calls `show` for each workspace event until Ctrl-C or the time limit. */
export async function tail(
  context: Context,
  client: Ganglion,
  types: string[] | undefined,
  after: string | undefined,
  show: (event: WorkspaceEvent) => Promise<void>,
): Promise<void> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  process.once('SIGINT', leave)
  const { timeout } = context.options
  const timer = timeout === undefined ? undefined : setTimeout(leave, timeout * 1000)
  const stream = client.events.stream(
    { types: types as Query<'events.stream'>['types'] },
    { after, signal: leaving.signal, onReconnect: () => context.say('[reconnecting]') },
  )
  try {
    for await (const event of stream) if (event.type !== 'position') await show(event)
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', leave)
  }
  if (stream.lastEventId) context.say(`Continue with --after ${stream.lastEventId}`)
}
