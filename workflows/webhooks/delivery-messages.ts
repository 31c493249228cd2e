export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery'

/**
 * Input of a delivery, which counts as a task of its workspace. A delivery is not a job: `job_id` is the workflow id.
 */
export interface WebhookDeliveryInput {
  job: { job_id: string; workspace_id: string }
  delivery_id: string
}

export const buildDeliveryWorkflowId = (deliveryId: string): string => `webhook-delivery-${deliveryId}`
