import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { JobKind, JobStatus } from '../../../domain/runs/jobs.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { PinnedNeuron } from '../../../domain/agents/run-spec.ts'

/** The slug of the workspace. Child runs copy it. */
export const WORKSPACE = defineSearchAttributeKey('GanglionWorkspace', 'KEYWORD')
const KIND = defineSearchAttributeKey('GanglionKind', 'KEYWORD')
/** The status of an open run that does not work: `pending`, `waiting` or `paused`. Reads of jobs prefer it to the row. */
export const STATUS = defineSearchAttributeKey('GanglionStatus', 'KEYWORD')
/** Runs of former versions start without it. */
export const REQUESTER = defineSearchAttributeKey('GanglionRequester', 'KEYWORD')
/** The slug of the trigger that started the run. */
export const TRIGGER = defineSearchAttributeKey('GanglionTrigger', 'KEYWORD')
const TITLE = defineSearchAttributeKey('GanglionTitle', 'TEXT')
const WAITING_ON = defineSearchAttributeKey('GanglionWaitingOn', 'KEYWORD_LIST')
const DUE_AT = defineSearchAttributeKey('GanglionDueAt', 'DATETIME')

/** Bytes of a list of names. The server refuses a value of more than 2,048, with its quotes. */
const MAX_NAMES_BYTES = 1_500

interface RunFacts {
  /** Slug of the workspace. */
  workspace: string
  kind: JobKind
  title: string
  requester: string
  /** Slug of the trigger that started the run. */
  trigger?: string
}

/** Builds the search attributes that all runs start with. */
export const buildRunAttributes = ({ workspace, kind, title, requester, trigger }: RunFacts): SearchAttributePair[] => [
  { key: WORKSPACE, value: workspace },
  { key: KIND, value: kind },
  { key: TITLE, value: title },
  { key: REQUESTER, value: requester },
  ...(trigger === undefined ? [] : [{ key: TRIGGER, value: trigger }]),
]

const IDLE: ReadonlySet<JobStatus> = new Set(['pending', 'waiting', 'paused'])

/** Builds the search attributes of a run's state: its status, all for whom it waits, and the next due time. */
export function buildStateAttributes(status: JobStatus, waitingFor: WaitingFor[]): SearchAttributeUpdatePair[] {
  const byDueTime = waitingFor.toSorted((a, b) => (a.due_at ?? '9').localeCompare(b.due_at ?? '9'))
  const names = limitBytes([...new Set(byDueTime.flatMap(({ assignees }) => assignees))])
  const dueAt = byDueTime[0]?.due_at
  return [
    { key: STATUS, value: IDLE.has(status) ? status : null },
    { key: WAITING_ON, value: names.length > 0 ? names : null },
    { key: DUE_AT, value: dueAt ? new Date(dueAt) : null },
  ]
}

/** Returns as many of the first names as one search attribute holds. */
function limitBytes(names: string[]): string[] {
  const encoder = new TextEncoder()
  let bytesLeft = MAX_NAMES_BYTES
  return names.filter(name => (bytesLeft -= encoder.encode(name).length + 3) >= 0)
}

const NEURON = defineSearchAttributeKey('GanglionNeuron', 'KEYWORD')
const NEURON_VERSION = defineSearchAttributeKey('GanglionNeuronVersion', 'KEYWORD')

/** Builds the further search attributes that a run of a neuron starts with. */
export const buildNeuronAttributes = ({ slug, version }: PinnedNeuron): SearchAttributePair[] => [
  { key: NEURON, value: slug },
  { key: NEURON_VERSION, value: String(version) },
]

const PATHWAY = defineSearchAttributeKey('GanglionPathway', 'KEYWORD')
const PATHWAY_VERSION = defineSearchAttributeKey('GanglionPathwayVersion', 'KEYWORD')

/** Builds the further search attributes that a run of a pathway starts with. */
export const buildPathwayAttributes = ({
  slug,
  version,
}: {
  slug: string
  version: number | null
}): SearchAttributePair[] => [
  { key: PATHWAY, value: slug },
  { key: PATHWAY_VERSION, value: version === null ? 'inline' : String(version) },
]
