export const WEBHOOK_DELIVERY_WORKFLOW = 'webhookDelivery'

/** A delivery as a task of its workspace. It is no job: `job_id` is the id of the workflow. */
export interface WebhookDeliveryInput {
  job: { job_id: string; workspace_id: string }
  delivery_id: string
}

export const buildDeliveryWorkflowId = (deliveryId: string): string => `webhook-delivery-${deliveryId}`
