import type { WorkflowExecutionDescription } from '@temporalio/client'
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow/index.js'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { PendingTimer } from '../../../domain/diagnosis/facts.ts'
import type { Temporal } from '../../temporal.ts'
import { type HistoryEvent, readHistoryTail } from '../history-tail.ts'

/** More events than a run writes between the start of a timer and a state in which nothing else happens. */
const MAX_EVENTS = 50

/** The timers among the last events of a run that have neither fired nor been cancelled, the latest first. */
export async function readPendingTimers(
  temporal: Temporal,
  run: WorkflowExecutionDescription,
): Promise<PendingTimer[]> {
  const events = await readHistoryTail(temporal, run, MAX_EVENTS)
  const ended = new Set(
    events.flatMap(event => {
      const end = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes
      return end?.timerId ?? []
    }),
  )
  const open = events.filter(({ timerStartedEventAttributes: started }) => started && !ended.has(started.timerId ?? ''))
  return Promise.all(open.map(event => toTimer(temporal, event)))
}

async function toTimer({ client }: Temporal, event: HistoryEvent): Promise<PendingTimer> {
  const { startToFireTimeout } = event.timerStartedEventAttributes ?? {}
  const at = event.eventTime ? tsToMs(event.eventTime) : Date.now()
  const { loadedDataConverter } = client.options
  const summary = await decodeOptionalSinglePayload<string>(loadedDataConverter, event.userMetadata?.summary)
  return {
    summary: summary ?? '',
    since: new Date(at).toISOString(),
    until: new Date(at + (startToFireTimeout ? tsToMs(startToFireTimeout) : 0)).toISOString(),
  }
}
