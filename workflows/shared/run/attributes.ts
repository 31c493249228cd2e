import { defineSearchAttributeKey, type SearchAttributePair, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { JobKind, JobStatus } from '../../../domain/runs/jobs.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { PinnedNeuron } from '../../../domain/agents/run-spec.ts'

/** Slug of the workspace. Child runs inherit it. */
export const WORKSPACE = defineSearchAttributeKey('GanglionWorkspace', 'KEYWORD')
const KIND = defineSearchAttributeKey('GanglionKind', 'KEYWORD')
/**
 * Status of an open run that is idle: `pending`, `waiting` or `paused`. When jobs are read, it has priority over the
 * row.
 */
export const STATUS = defineSearchAttributeKey('GanglionStatus', 'KEYWORD')
/** Absent on runs started by earlier versions. */
export const REQUESTER = defineSearchAttributeKey('GanglionRequester', 'KEYWORD')
/** Slug of the trigger that started the run. */
export const TRIGGER = defineSearchAttributeKey('GanglionTrigger', 'KEYWORD')
const TITLE = defineSearchAttributeKey('GanglionTitle', 'TEXT')
const WAITING_ON = defineSearchAttributeKey('GanglionWaitingOn', 'KEYWORD_LIST')
const DUE_AT = defineSearchAttributeKey('GanglionDueAt', 'DATETIME')

/** Maximum number of bytes in a list of names. The server rejects values above 2,048 bytes, including quotes. */
const MAX_NAMES_BYTES = 1_500

interface RunFacts {
  /** Workspace slug. */
  workspace: string
  kind: JobKind
  title: string
  requester: string
  /** Slug of the trigger that started the run. */
  trigger?: string
}

/** Builds the initial search attributes of any run. */
export const buildRunAttributes = ({ workspace, kind, title, requester, trigger }: RunFacts): SearchAttributePair[] => [
  { key: WORKSPACE, value: workspace },
  { key: KIND, value: kind },
  { key: TITLE, value: toSearchText(title) },
  { key: REQUESTER, value: requester },
  ...(trigger === undefined ? [] : [{ key: TRIGGER, value: trigger }]),
]

/**
 * Replaces the characters that a visibility store in Postgres rejects. It casts Text attributes to `tsvector`, in which
 * `'`, `:` and `\` are syntax, and never lists a run whose attribute it can't cast.
 */
const toSearchText = (text: string): string => text.replaceAll("'", '’').replaceAll(/\s*[:\\]+\s*/g, ' ')

const IDLE: ReadonlySet<JobStatus> = new Set(['pending', 'waiting', 'paused'])

/** Builds the search attributes of a run's state: its status, the people it waits for, and the next due time. */
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

/** Returns as many of the first names as fit into one search attribute. */
function limitBytes(names: string[]): string[] {
  const encoder = new TextEncoder()
  let bytesLeft = MAX_NAMES_BYTES
  return names.filter(name => (bytesLeft -= encoder.encode(name).length + 3) >= 0)
}

const NEURON = defineSearchAttributeKey('GanglionNeuron', 'KEYWORD')
const NEURON_VERSION = defineSearchAttributeKey('GanglionNeuronVersion', 'KEYWORD')

/** Builds the additional initial search attributes of an agent run. */
export const buildNeuronAttributes = ({ slug, version }: PinnedNeuron): SearchAttributePair[] => [
  { key: NEURON, value: slug },
  { key: NEURON_VERSION, value: String(version) },
]

const PATHWAY = defineSearchAttributeKey('GanglionPathway', 'KEYWORD')
const PATHWAY_VERSION = defineSearchAttributeKey('GanglionPathwayVersion', 'KEYWORD')

/** Builds the additional initial search attributes of a pathway run. */
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
