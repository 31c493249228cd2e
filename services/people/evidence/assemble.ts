import { findMismatches, type EvidenceProblem } from '@ganglion/client/evidence'
import { type EntryWithSeal, listEntriesOf } from '../../../data/audit/audit-seals-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { listInterventionChanges } from '../../../data/people/intervention-changes-store.ts'
import { findIntervention, findNextOpening, type InterventionRecord } from '../../../data/people/interventions-store.ts'
import { listDecisionUses, listSentSince } from '../../../data/runs/job-forks-store.ts'
import { findJob, findRunDefinition, type RunDefinition, type JobRecord } from '../../../data/runs/jobs-store.ts'
import {
  listVotes,
  listVoteTexts,
  readTransactionTime,
  type StoredVote,
  type VoteTexts,
} from '../../../data/people/votes-store.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { presentChange } from '../../runs/views.ts'
import { describeRun, describeTask } from './describe.ts'
import { readShown, readShownTexts } from './shown.ts'
import type { DisclosedText } from '../../../contract/people/evidence.ts'

/** The stored evidence for a decision. Texts are kept outside the document, so that each text can be omitted. */
export interface AssembledEvidence {
  brain_id: string | null
  is_purged: boolean
  document: JsonObject
  shown: JsonObject | null
  texts: DisclosedText[]
}

/** Maximum number of audit log entries in a document. */
const MAX_ENTRIES = 500

interface Rows {
  id: string
  created_at: string
  record?: InterventionRecord
  votes: StoredVote[]
  voteTexts: VoteTexts[]
  job?: JobRecord
  definition?: RunDefinition
  entries: EntryWithSeal[]
}

/**
 * Assembles an intervention's stored data, even after its run was removed. Returns undefined if the intervention
 * never existed.
 */
export async function assembleEvidence(
  tx: Tx,
  workspace: { id: string; slug: string },
  id: string,
): Promise<AssembledEvidence | undefined> {
  const [record, votes, voteTexts] = await Promise.all([
    findIntervention(tx, id),
    listVotes(tx, [id]),
    listVoteTexts(tx, [id]),
  ])
  const jobId = record?.job_id ?? votes[0]?.statement.job_id
  if (jobId === undefined) return undefined
  const [job, definition, changes, entries, created_at] = await Promise.all([
    findJob(tx, jobId),
    findRunDefinition(tx, jobId),
    listInterventionChanges(tx, id),
    listEntriesOf(tx, id, MAX_ENTRIES),
    readTransactionTime(tx),
  ])
  const rows: Rows = { id, created_at, record, votes, voteTexts, job, definition, entries }
  const uses = record?.decision && job ? await describeUses(tx, record, record.decision.at) : []
  const shownContent = record ? readShown(record) : null
  const texts = listTexts(rows)
  const document = cloneAsJson({
    schema: 'evidence/2',
    created_at,
    workspace,
    intervention: describeIntervention(rows),
    run: describeKnownRun(rows),
    votes: votes.map(({ recorded_at, statement, signature }) => ({ recorded_at, statement, signature })),
    decision: describeDecision(rows),
    uses,
    history: changes.map(presentChange),
    audit: entries.map(presentEntry),
    ...describePurge(rows),
  })
  const mismatches = [
    ...(await findMismatches({ document: document as never, shown: shownContent, texts })),
    ...findGaps(rows, texts),
  ]
  return {
    brain_id: job?.brain_id ?? votes[0]?.statement.brain_id ?? null,
    is_purged: !record,
    document: { ...document, mismatches: cloneAsJson(mismatches) },
    shown: shownContent,
    texts,
  }
}

const presentEntry = ({ id, entry, seal }: EntryWithSeal) => ({ id, ...entry, seal })

/** Removes undefined fields, so that the document equals the result that readers get when they parse it. */
const cloneAsJson = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject

function describeIntervention({ id, record, votes }: Rows) {
  const statement = votes.at(-1)?.statement
  const task = record ? describeTask(record) : statement?.task
  const { job_id, root_job_id } = record ?? statement ?? {}
  return { id, job_id, root_job_id, status: record?.status, closed_at: record?.closed_at, ...task }
}

function describeKnownRun({ job, definition, votes }: Rows) {
  const stated = votes.at(-1)?.statement.run
  if (!job) return stated
  const definition_hash = definition ? hashCanonical(definition.definition) : stated?.definition_hash
  return { title: job.title, ...describeRun(job), definition_hash }
}

/** Describes the runs that use the decision: who started them, and the hashes of the data they have sent since. */
async function describeUses(tx: Tx, record: InterventionRecord, since: string) {
  const { job_id, root_job_id, node_key } = record
  const uses = await listDecisionUses(tx, record, await findNextOpening(tx, record))
  const roots = [root_job_id, ...uses.map(use => use.job_id)]
  const requests = await listSentSince(tx, [...new Set(roots)], since)
  return uses.map(({ job_id: usedJobId, fork, repeated }) => ({
    job_id: usedJobId,
    fork: fork && { kind: fork.kind, by: fork.actor, reason: fork.reason, at: fork.created_at },
    repeated: repeated.filter(({ decided_at }) => decided_at.includes(node_key)).map(({ key }) => key),
    sent: requests
      .filter(request => request.root_job_id === (usedJobId === job_id ? root_job_id : usedJobId))
      .map(({ root_job_id: _root, ...fields }) => fields),
  }))
}

/** Describes the decision as the run reported it. After a purge, derives the decision from the votes. */
function describeDecision({ record, votes }: Rows) {
  const decision = record ? record.decision : votes.find(({ statement }) => statement.decides)?.statement.vote
  if (!decision) return null
  const { by, action, at } = decision
  return { by, action, at }
}

/** Describes when and by whom the texts were removed. */
function describePurge({ record, entries, job }: Rows) {
  if (record) return {}
  const entry = entries.map(({ entry }) => entry).find(({ action }) => PURGES.has(action))
  return { purged_at: entry?.at ?? job?.purged_at ?? null, purged_by: entry?.actor ?? null }
}

const PURGES = new Set(['intervention.purge', 'intervention.expire'])

function listTexts({ record, voteTexts }: Rows): DisclosedText[] {
  const shownTexts = record ? readShownTexts(record) : {}
  return voteTexts.flatMap(({ seq, texts, salts }) =>
    Object.entries(texts ?? shownTexts).flatMap(([name, value]) => {
      const salt = salts[name]
      return salt === undefined ? [] : [{ seq, name, salt, value }]
    }),
  )
}

/**
 * Finds missing texts that no purge removed. For a removed run, reports missing texts if the audit log contains no
 * purge.
 */
function findGaps({ record, votes, entries }: Rows, texts: DisclosedText[]): EvidenceProblem[] {
  if (!record) {
    if (entries.some(({ entry }) => PURGES.has(entry.action))) return []
    return [
      {
        code: 'TEXT_MISSING',
        pointer: '/texts',
        message: 'The texts are missing, and the audit log contains no purge',
      },
    ]
  }
  return votes.flatMap(({ statement: { seq, digests } }, i) =>
    Object.keys(digests)
      .filter(name => !texts.some(text => text.name === name && (text.seq === 0 || text.seq === seq)))
      .map(name => ({
        code: 'TEXT_MISSING' as const,
        pointer: `/document/votes/${i}/statement/digests/${name}`,
        message: `The ${name} of vote ${seq} is missing, and no purge removed it`,
      })),
  )
}
