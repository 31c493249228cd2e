import { followCurrentBuild } from './versioning.ts'
import { purge } from './purge/workflow.ts'
import { retention } from './retention/workflow.ts'
import { scheduledFiring } from './scheduled-firing/workflow.ts'
import { webhookDelivery } from './webhook-delivery/workflow.ts'

export { bulk } from './bulk/workflow.ts'
export { discover } from './discover/workflow.ts'
export { ingest } from './ingest/workflow.ts'
export { neuron } from './neuron/workflow.ts'
export { meeting } from './meeting/workflow.ts'
export { pathway } from './pathway/workflow.ts'
export { transcribe } from './transcribe/workflow.ts'
export { purge, retention, scheduledFiring, webhookDelivery }

// Their runs wait for days, and do little else.
followCurrentBuild(purge, retention, scheduledFiring, webhookDelivery)
