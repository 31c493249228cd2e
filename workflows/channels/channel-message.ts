import { proxyActivities } from '@temporalio/workflow'
import type { ChannelActivities } from '../../activities/types.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import type { ChannelMessageInput } from './messages.ts'

/**
 * Sends a message or updates it until it shows the current state of its task or run. The message's row stores its
 * state. After a failure, the row starts another run of this workflow.
 */
export async function channelMessage(input: ChannelMessageInput): Promise<void> {
  const { showMessage } = proxyActivities<ChannelActivities>({
    // An answer is shown while the run writes it.
    startToCloseTimeout: '1 hour',
    ...HEARTBEATED,
    // A failing service doesn't fail the activity. Retries are for unavailable components.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  })
  for (;;) {
    const { is_due } = await showMessage(input)
    if (!is_due) return
  }
}
