import { Access1795348800000 } from './1795348800000-access.ts'
import { Resources1795348860000 } from './1795348860000-resources.ts'
import { Search1795348920000 } from './1795348920000-search.ts'
import { Runs1795348980000 } from './1795348980000-runs.ts'
import { Conversations1795349040000 } from './1795349040000-conversations.ts'
import { Speech1795349100000 } from './1795349100000-speech.ts'
import { KeyOwners1795349160000 } from './1795349160000-key-owners.ts'
import { ChildRuns1795349220000 } from './1795349220000-child-runs.ts'
import { Purges1795349280000 } from './1795349280000-purges.ts'
import { VersionHeads1795400000101 } from './1795400000101-version-heads.ts'
import { ReceptorChannels1795400000102 } from './1795400000102-receptor-channels.ts'
import { DefaultBrains1795500000101 } from './1795500000101-default-brains.ts'
import { AudioPurges1795500000201 } from './1795500000201-audio-purges.ts'
import { RecentRuns1795500000301 } from './1795500000301-recent-runs.ts'
import { JobErrors1795600000001 } from './1795600000001-job-errors.ts'
import { PageOffsets1795600000201 } from './1795600000201-page-offsets.ts'
import { NodeInputs1795600000301 } from './1795600000301-node-inputs.ts'
import { Credentials1795700000101 } from './1795700000101-credentials.ts'
import { Plans1795700000201 } from './1795700000201-plans.ts'
import { AuditFields1795700000301 } from './1795700000301-audit-fields.ts'
import { Retention1795700000302 } from './1795700000302-retention.ts'
import { Events1795700000401 } from './1795700000401-events.ts'
import { Webhooks1795700000402 } from './1795700000402-webhooks.ts'
import { Backlog1795700000601 } from './1795700000601-backlog.ts'
import { McpToolkits1795800000101 } from './1795800000101-mcp-toolkits.ts'
import { Secrets1795800000102 } from './1795800000102-secrets.ts'
import { EndedCredentials1795900000001 } from './1795900000001-ended-credentials.ts'
import { DefaultMaps1795900000102 } from './1795900000102-default-maps.ts'
import { FastCompression1795900000103 } from './1795900000103-fast-compression.ts'
import { VersionSearch1795900000101 } from './1795900000101-version-search.ts'
import { Triggers1795900000201 } from './1795900000201-triggers.ts'
import { TriggerSchedules1795900000202 } from './1795900000202-trigger-schedules.ts'
import { TriggerScheduleHashes1795900000203 } from './1795900000203-trigger-schedule-hashes.ts'
import { Hooks1795900000301 } from './1795900000301-hooks.ts'
import { TriggerEvents1795900000302 } from './1795900000302-trigger-events.ts'
import { SearchTurns1796000000201 } from './1796000000201-search-turns.ts'
import { RunDefinitions1797000000101 } from './1797000000101-run-definitions.ts'
import { JobForks1797000000201 } from './1797000000201-job-forks.ts'
import { HumanTasks1797000000301 } from './1797000000301-human-tasks.ts'
import { Absences1797000000302 } from './1797000000302-absences.ts'
import { AuditChain1797000000303 } from './1797000000303-audit-chain.ts'
import { JobMigrations1797000000401 } from './1797000000401-job-migrations.ts'
import { BulkJobs1797000000411 } from './1797000000411-bulk-jobs.ts'
import { BulkUnanswered1797000000412 } from './1797000000412-bulk-unanswered.ts'
import { ReminderEvents1797000000413 } from './1797000000413-reminder-events.ts'
import { InterventionsByDue1797000000415 } from './1797000000415-interventions-by-due.ts'
import { WorkspaceReadOnce1797000000416 } from './1797000000416-workspace-read-once.ts'
import { RunsByRequester1797000000417 } from './1797000000417-runs-by-requester.ts'
import { Rights1798000000201 } from './1798000000201-rights.ts'
import { FlowLabels1798000000601 } from './1798000000601-flow-labels.ts'
import { LargeEntries1797000000414 } from './1797000000414-large-entries.ts'
import { PeopleOfRuns1798000000101 } from './1798000000101-people-of-runs.ts'
import { DecisionProofs1798000000401 } from './1798000000401-decision-proofs.ts'
import { SourceThreads1798000000402 } from './1798000000402-source-threads.ts'
import { DecisionCovers1798000000701 } from './1798000000701-decision-covers.ts'
import { TestFires1798000000748 } from './1798000000748-test-fires.ts'
import { DocumentIdentity1798100000201 } from './1798100000201-document-identity.ts'
import { IndexFailures1798100000401 } from './1798100000401-index-failures.ts'
import { PendingAnswers1798100000402 } from './1798100000402-pending-answers.ts'

/** All migrations, oldest first. Do not edit one after its release. */
export const migrations = [
  Access1795348800000,
  Resources1795348860000,
  Search1795348920000,
  Runs1795348980000,
  Conversations1795349040000,
  Speech1795349100000,
  KeyOwners1795349160000,
  ChildRuns1795349220000,
  Purges1795349280000,
  VersionHeads1795400000101,
  ReceptorChannels1795400000102,
  DefaultBrains1795500000101,
  AudioPurges1795500000201,
  RecentRuns1795500000301,
  JobErrors1795600000001,
  PageOffsets1795600000201,
  NodeInputs1795600000301,
  Credentials1795700000101,
  Plans1795700000201,
  AuditFields1795700000301,
  Retention1795700000302,
  Events1795700000401,
  Webhooks1795700000402,
  Backlog1795700000601,
  McpToolkits1795800000101,
  Secrets1795800000102,
  EndedCredentials1795900000001,
  VersionSearch1795900000101,
  DefaultMaps1795900000102,
  FastCompression1795900000103,
  Triggers1795900000201,
  TriggerSchedules1795900000202,
  TriggerScheduleHashes1795900000203,
  Hooks1795900000301,
  TriggerEvents1795900000302,
  SearchTurns1796000000201,
  RunDefinitions1797000000101,
  JobForks1797000000201,
  HumanTasks1797000000301,
  Absences1797000000302,
  AuditChain1797000000303,
  JobMigrations1797000000401,
  BulkJobs1797000000411,
  BulkUnanswered1797000000412,
  ReminderEvents1797000000413,
  LargeEntries1797000000414,
  InterventionsByDue1797000000415,
  WorkspaceReadOnce1797000000416,
  RunsByRequester1797000000417,
  PeopleOfRuns1798000000101,
  Rights1798000000201,
  DecisionProofs1798000000401,
  SourceThreads1798000000402,
  FlowLabels1798000000601,
  DecisionCovers1798000000701,
  TestFires1798000000748,
  DocumentIdentity1798100000201,
  IndexFailures1798100000401,
  PendingAnswers1798100000402,
]
