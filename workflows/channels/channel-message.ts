import { proxyActivities } from '@temporalio/workflow'
import type { ChannelActivities } from '../../activities/types.ts'
import { DELIVERY_OPTIONS } from '../shared/steps/activity-options.ts'
import type { ChannelMessageInput } from './messages.ts'

/**
 * Sends a message or updates it until it shows the current state of its task or run. The message's row stores its
 * state. After a failure, the row starts another run of this workflow.
 */
export async function channelMessage(input: ChannelMessageInput): Promise<void> {
  const { showMessage } = proxyActivities<ChannelActivities>({
    // An answer is shown while the run writes it.
    startToCloseTimeout: '1 hour',
    ...DELIVERY_OPTIONS,
  })
  for (;;) {
    const { is_due } = await showMessage(input)
    if (!is_due) return
  }
}
