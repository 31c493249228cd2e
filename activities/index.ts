import type { Logger } from 'pino'
import { createMigrationActivities, type MigrationDeps } from './runs/record-migration.ts'
import { createModelActivity, type ModelDeps } from './agents/model.ts'
import { type AgentProjectionDeps, createAgentProjections } from './agents/projections.ts'
import { createCallActivity, type CallDeps } from './agents/call.ts'
import { type BulkActivityDeps, createBulkActivities } from './runs/bulk.ts'
import { createDiscoverActivity, type DiscoverDeps } from './resources/discover.ts'
import { createExtractActivity, type ExtractDeps } from './documents/extract-document.ts'
import { createHttpActivity } from './tools/http-node/http.ts'
import { createNeuronActivity, type NeuronDeps } from './agents/neuron.ts'
import type { Outbound } from '../services/tools/outbound/client.ts'
import { createPurgeActivity, type PurgeActivityDeps } from './audit/purge-batch.ts'
import { createRetentionActivities, type RetentionDeps } from './audit/retention.ts'
import { createStepLifecycle, type StepLifecycleDeps } from './runs/step-lifecycle.ts'
import { createRecordActivities, type RecordDeps } from './runs/record.ts'
import { createSearchActivity } from './search/search.ts'
import { createMeetingActivities, type MeetingDeps } from './speech/meeting.ts'
import { createTranscribeActivities, type TranscribeJobDeps } from './speech/transcribe-job.ts'
import { createTranscribeStep } from './speech/transcribe-step.ts'
import type { Transcription } from './speech/transcription.ts'
import type { NodeType } from '../domain/pathways/definition.ts'
import type { Step } from './runs/step.ts'
import { withRight } from './shared/with-right.ts'
import { createStakeholdersActivity } from './stakeholders/stakeholders-step.ts'
import type { MapChanges } from '../services/stakeholders/changes.ts'
import { createToolActivity } from './tools/tool-step.ts'
import type { ToolExecutor } from './tools/types.ts'
import type { Activities } from './types.ts'
import { createTriggerActivities, type TriggerDeps } from './triggers/triggers.ts'
import { type ChannelDeps, createChannelActivities } from './channels/channels.ts'
import { createDeliveryActivity, type WebhookDeps } from './webhooks/attempt-delivery.ts'
import type { SearchService } from '../services/search/search.ts'

export interface ActivityDeps
  extends
    RecordDeps,
    StepLifecycleDeps,
    ModelDeps,
    NeuronDeps,
    ExtractDeps,
    AgentProjectionDeps,
    CallDeps,
    DiscoverDeps,
    TranscribeJobDeps,
    MeetingDeps,
    PurgeActivityDeps,
    BulkActivityDeps,
    RetentionDeps,
    TriggerDeps,
    ChannelDeps,
    WebhookDeps {
  outbound: Outbound
  search: SearchService
  toolExecutor: ToolExecutor
  mapChanges: MapChanges
  resources: DiscoverDeps['resources'] & MeetingDeps['resources']
  transcription: Transcription
  projections: RecordDeps['projections'] & BulkActivityDeps['projections']
  publisher: RecordDeps['publisher'] & MigrationDeps['publisher']
  writer: StepLifecycleDeps['writer']
  log: Logger
}

/** Creates all activities of a worker. To add a node type, add its file and one line here. */
export function createActivities(deps: ActivityDeps): Activities {
  const step = createStepLifecycle(deps)
  const node = (type: NodeType, work: Step) => step(withRight(type, work))
  return {
    http: node('http', createHttpActivity(deps)),
    neuron: node('neuron', createNeuronActivity(deps)),
    search: node('search', createSearchActivity(deps)),
    model: step(createModelActivity(deps)),
    call: step(createCallActivity(deps)),
    tool: node('tool', createToolActivity(deps)),
    discover: createDiscoverActivity(deps),
    transcribe: node('transcribe', createTranscribeStep(deps)),
    stakeholders: node('stakeholders', createStakeholdersActivity(deps)),
    extract: createExtractActivity(deps),
    purgeBatch: createPurgeActivity(deps),
    ...createBulkActivities(deps),
    ...createRetentionActivities(deps),
    attemptDelivery: createDeliveryActivity(deps),
    ...createChannelActivities(deps),
    ...createTriggerActivities(deps),
    ...createMigrationActivities(deps),
    ...createTranscribeActivities(deps),
    ...createMeetingActivities(deps),
    ...createRecordActivities(deps),
    ...createAgentProjections(deps),
  }
}
