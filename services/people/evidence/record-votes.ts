import { randomBytes } from 'node:crypto'
import { findChannelById } from '../../../data/channels/channels-store.ts'
import { hashCanonical } from '../../../data/shared/canonical-hash.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { findInterventionsById, type InterventionRecord } from '../../../data/people/interventions-store.ts'
import { findJob, findRunDefinition, type JobRecord } from '../../../data/runs/jobs-store.ts'
import { toStorableJson } from '../../../domain/shared/json/storable.ts'
import {
  findVoteCredential,
  insertVotes,
  listVotes,
  listVoteTexts,
  type NewVote,
  readTransactionTime,
  type VoteTexts,
} from '../../../data/people/votes-store.ts'
import {
  type CountedVote,
  describeRole,
  splitVote,
  type VoteCredential,
  type VoteStatement,
} from '../../../domain/people/evidence/statement.ts'
import { findCredentialChannel } from '../../../domain/channels/channel.ts'
import type { AnswerSource } from '../../../domain/people/intervention.ts'
import { describeRun, describeTask } from './describe.ts'
import { readShownTexts } from './shown.ts'
import type { Signer } from './signer.ts'

/** The existing statements that an intervention's new votes follow. */
interface Sequel {
  seq: number
  /** The hash of the previous statement. */
  previous: string | null
  actors: Set<string>
  /** The salts for the displayed texts. Undefined before the first vote. */
  salts?: Record<string, string>
}

/**
 * Signs and stores new votes with their audit entries. Call after the patches for the same interventions, because the
 * patches lock them. A vote is skipped if its opening statement is not written yet. The run's record delivers the
 * vote again after the opening.
 */
export async function recordVotes(tx: Tx, signer: Signer, jobId: string, counted: CountedVote[]): Promise<void> {
  if (counted.length === 0) return
  const ids = [...new Set(counted.map(({ intervention_id }) => intervention_id))]
  const [tasks, sequels, job, run, now] = await Promise.all([
    findInterventionsById(tx, ids),
    readSequels(tx, ids),
    findJob(tx, jobId),
    findRunDefinition(tx, jobId),
    readTransactionTime(tx),
  ])
  if (!job) return
  const tasksById = new Map(tasks.filter(({ job_id }) => job_id === jobId).map(task => [task.id, task]))
  const votes: NewVote[] = []
  const texts: VoteTexts[] = []
  for (const vote of JSON.parse(toStorableJson(counted)) as CountedVote[]) {
    const task = tasksById.get(vote.intervention_id)
    const sequel = sequels.get(vote.intervention_id) ?? { seq: 0, previous: null, actors: new Set() }
    if (!task || sequel.actors.has(vote.by)) continue
    const credential = await describeCredential(tx, vote.via)
    const definition_hash = run ? hashCanonical(run.definition) : null
    const statementRecord = buildStatement({ vote, task, job, sequel, credential, definition_hash, now })
    votes.push({ ...statementRecord, signature: signer.sign(statementRecord.statement) })
    texts.push(...statementRecord.texts)
    sequels.set(task.id, {
      seq: statementRecord.statement.seq,
      previous: statementRecord.statement_hash,
      actors: sequel.actors.add(vote.by),
      salts: statementRecord.shownSalts,
    })
  }
  if (votes.length > 0) await insertVotes(tx, jobId, votes, texts)
}

async function readSequels(tx: Tx, ids: string[]): Promise<Map<string, Sequel>> {
  const [votes, texts] = await Promise.all([listVotes(tx, ids), listVoteTexts(tx, ids)])
  const sequels = new Map<string, Sequel>()
  for (const { intervention_id, seq, statement } of votes) {
    const actors = sequels.get(intervention_id)?.actors ?? new Set()
    const salts = texts.find(row => row.intervention_id === intervention_id && row.seq === 0)?.salts
    actors.add(statement.vote.by)
    sequels.set(intervention_id, { seq, previous: hashCanonical(statement), actors, salts })
  }
  return sequels
}

async function describeCredential(tx: Tx, via: AnswerSource | undefined): Promise<VoteCredential | null> {
  if (!via) return null
  const channelId = findCredentialChannel(via.key_id)
  if (channelId !== undefined) {
    const channel = await findChannelById(tx, channelId)
    return { id: via.key_id, kind: channel?.type, created_by: channel?.created_by }
  }
  const credential = await findVoteCredential(tx, via.key_id)
  return {
    id: via.key_id,
    ...(credential && { kind: credential.kind, created_by: credential.created_by ?? undefined }),
  }
}

interface Basis {
  vote: CountedVote
  task: InterventionRecord
  job: JobRecord
  sequel: Sequel
  credential: VoteCredential | null
  definition_hash: string | null
  now: string
}

function buildStatement({ vote: counted, task, job, sequel, credential, definition_hash, now }: Basis) {
  const { vote, texts, via } = splitVote(counted)
  const shownTexts = readShownTexts(task)
  const shownSalts = sequel.salts ?? createSalts(shownTexts)
  const ownSalts = createSalts(texts)
  const seq = sequel.seq + 1
  const statement: VoteStatement = JSON.parse(
    JSON.stringify({
      schema: 'vote/1',
      workspace_id: job.workspace_id,
      brain_id: job.brain_id,
      job_id: job.job_id,
      root_job_id: job.root_job_id,
      intervention_id: task.id,
      seq,
      previous: sequel.previous,
      recorded_at: now,
      task: describeTask(task),
      run: { ...describeRun(job), definition_hash },
      vote,
      role: describeRole(vote),
      credential,
      request_id: via?.request_id ?? null,
      decides: counted.decides,
      digests: { ...hashTexts(shownTexts, shownSalts), ...hashTexts(texts, ownSalts) },
    } satisfies VoteStatement),
  )
  const { id: intervention_id } = task
  const rows: VoteTexts[] = [{ intervention_id, seq, texts, salts: ownSalts }]
  if (!sequel.salts) rows.push({ intervention_id, seq: 0, texts: null, salts: shownSalts })
  return { statement, statement_hash: hashCanonical(statement), texts: rows, shownSalts }
}

/** Creates a random 128-bit salt for each text, so that nobody can guess a short text from its hash. */
const createSalts = (texts: object): Record<string, string> =>
  Object.fromEntries(Object.keys(texts).map(name => [name, randomBytes(16).toString('base64url')]))

const hashTexts = (texts: object, salts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, hashCanonical([salts[name], name, value])]))
