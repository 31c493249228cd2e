import { channelMessage } from './channels/channel-message.ts'
import { mailbox } from './channels/mailbox.ts'
import { followCurrentBuild } from './shared/versioning.ts'
import { purge } from './audit/purge.ts'
import { retention } from './audit/retention.ts'
import { scheduledFiring } from './triggers/scheduled-firing.ts'
import { webhookDelivery } from './webhooks/delivery.ts'

export { bulk } from './runs/bulk.ts'
export { discover } from './resources/discover.ts'
export { ingest } from './documents/ingest.ts'
export { neuron } from './agents/workflow.ts'
export { meeting } from './speech/meeting.ts'
export { pathway } from './pathways/workflow.ts'
export { transcribe } from './speech/transcribe.ts'
export { channelMessage, mailbox, purge, retention, scheduledFiring, webhookDelivery }

// Runs of these workflows wait for days and do little else.
followCurrentBuild(channelMessage, mailbox, purge, retention, scheduledFiring, webhookDelivery)
