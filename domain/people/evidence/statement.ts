import type { Delegation } from '../handling.ts'
import type { JobKind } from '../../runs/jobs.ts'
import type { DecisionCovers } from '../../runs/nodes.ts'
import type { AnswerSource, InterventionKind, Vote } from '../intervention.ts'

/** The texts that are shown to people, each of which can be disclosed alone. */
export const SHOWN_TEXTS = ['title', 'description', 'form', 'questions', 'context'] as const
/** The texts of a vote. */
export const VOTE_TEXTS = ['comment', 'data', 'answers'] as const
export type VoteText = (typeof VOTE_TEXTS)[number]

/** A vote without its texts and its source. Of what it covers, the values are texts: a short one could be guessed by its hash. */
export type ClearVote = Omit<Vote, VoteText | 'via' | 'covers'> & { covers?: Pick<DecisionCovers, 'definition'> }

/** The texts of a vote by name. `covered_values`: the values that the decision holds for, by name, as hashes. */
export type VoteTextsByName = Partial<Pick<Vote, VoteText>> & { covered_values?: DecisionCovers['values'] }

/** The credential of a vote. */
export interface VoteCredential {
  id: string
  /** Absent for credentials that are not stored, such as user tokens. */
  kind?: string
  /** Who made the credential, where that is known. */
  created_by?: string
}

/**
 * What is signed when a vote counts. Ids, hashes, names and times are in clear; texts and values are salted hashes, so that each
 * can be shown alone, and the statement proves the vote after they are removed.
 */
export interface VoteStatement {
  schema: 'vote/1'
  workspace_id: string
  brain_id: string | null
  job_id: string
  root_job_id: string
  intervention_id: string
  /** Counts from 1 within the intervention. */
  seq: number
  /** SHA-256 of the statement before; null in the first. */
  previous: string | null
  /** The time of the database, with microseconds. */
  recorded_at: string
  task: StatedTask
  run: StatedRun
  vote: ClearVote
  /** As which assignee the person answered. */
  role: string
  credential: VoteCredential | null
  request_id: string | null
  /** Whether the vote ends the intervention. */
  decides: boolean
  /** SHA-256 of the canonical JSON of `[salt, name, value]`, by the name of the text. */
  digests: Record<string, string>
}

/** The intervention when the vote counted. */
export interface StatedTask {
  node_id: string
  node_key: string
  kind: InterventionKind
  opened_at: string
  due_at: string | null
  quorum: number
  assignees: string[]
  delegations: Delegation[]
  /** People who may not decide. */
  excluded: string[]
  /** SHA-256 of all that was shown. */
  shown_hash: string
}

/** The run when the vote counted. */
export interface StatedRun {
  kind: JobKind
  pathway_id: string | null
  pathway_version: number | null
  neuron_id: string | null
  neuron_version: number | null
  requester: string
  /** The thread in which the run answers: with the name of a share token it names the visitor. */
  trace_id: string | null
  /** Everyone behind the run. */
  people: string[]
  created_at: string
  definition_hash: string | null
}

/** A vote that counts, for its intervention. */
export interface CountedVote extends Vote {
  intervention_id: string
  decides: boolean
}

/** Names the assignee as which a person answered: by name, by a group, or in place of an absent one. */
export const describeRole = ({ on_behalf_of, answered_as }: Pick<Vote, 'on_behalf_of' | 'answered_as'>): string =>
  on_behalf_of === undefined ? (answered_as ?? 'everyone') : `substitute of ${on_behalf_of}`

/** Splits a vote into what is stated in clear, its texts and its source. */
export function splitVote({
  intervention_id: _id,
  decides: _decides,
  comment,
  data,
  answers,
  via,
  covers,
  ...vote
}: CountedVote): {
  vote: ClearVote
  texts: VoteTextsByName
  via: AnswerSource | undefined
} {
  const texts = { comment, data, answers, covered_values: covers?.values }
  const entries = Object.entries(texts).filter(([, value]) => value !== undefined)
  const covered = covers && { covers: { definition: covers.definition } }
  return { vote: { ...vote, ...covered }, texts: Object.fromEntries(entries), via }
}

/** A signature over the canonical JSON (RFC 8785) of a document. */
export interface Signature {
  algorithm: 'Ed25519'
  key_id: string
  /** In Base64. */
  value: string
}
