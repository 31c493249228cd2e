import { proxyActivities, sleep } from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/types.ts'
import { HEARTBEATED } from '../shared/steps/activity-options.ts'
import type { WebhookDeliveryInput } from './delivery-messages.ts'

/**
 * Attempts a delivery until it succeeds or fails permanently. The delivery's row stores its state; the workflow only
 * waits for the next attempt.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<void> {
  const { attemptDelivery } = proxyActivities<WebhookActivities>({
    startToCloseTimeout: '1 minute',
    ...HEARTBEATED,
    // A failing endpoint doesn't fail the activity. Retries are for unavailable components.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  })
  for (;;) {
    const { retry_in_ms } = await attemptDelivery(input)
    if (retry_in_ms === undefined) return
    await sleep(retry_in_ms, { summary: 'next attempt' })
  }
}
