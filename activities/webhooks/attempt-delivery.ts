import type { Logger } from 'pino'
import type { AttemptDelivery } from '../../services/webhooks/attempt-delivery.ts'
import type { WebhookActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'

export interface WebhookDeps {
  attemptDelivery: AttemptDelivery
  log: Logger
}

/** Creates the `attemptDelivery` activity. It fails only if a component is unavailable. */
export const createDeliveryActivity = ({ attemptDelivery, log }: WebhookDeps): WebhookActivities['attemptDelivery'] =>
  withHeartbeat({ log, subject: 'webhook delivery' }, ({ job, delivery_id }, { signal }) =>
    attemptDelivery(job.workspace_id, delivery_id, signal),
  )
