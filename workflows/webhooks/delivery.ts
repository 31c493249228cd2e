import { proxyActivities, sleep } from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/types.ts'
import { DELIVERY_OPTIONS } from '../shared/steps/activity-options.ts'
import type { WebhookDeliveryInput } from './delivery-messages.ts'

/**
 * Attempts a delivery until it succeeds or fails permanently. The delivery's row stores its state; the workflow only
 * waits for the next attempt.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<void> {
  const { attemptDelivery } = proxyActivities<WebhookActivities>({
    startToCloseTimeout: '1 minute',
    ...DELIVERY_OPTIONS,
  })
  for (;;) {
    const { retry_in_ms } = await attemptDelivery(input)
    if (retry_in_ms === undefined) return
    await sleep(retry_in_ms, { summary: 'next attempt' })
  }
}
