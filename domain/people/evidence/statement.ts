import type { Delegation } from '../handling.ts'
import type { JobKind } from '../../runs/jobs.ts'
import type { DecisionCovers } from '../../runs/nodes.ts'
import type { AnswerSource, InterventionKind, Vote } from '../intervention.ts'

/** Texts shown to people. Each can be disclosed separately. */
export const SHOWN_TEXTS = ['title', 'description', 'form', 'questions', 'context'] as const
/** The texts of a vote. */
export const VOTE_TEXTS = ['comment', 'data', 'answers'] as const
export type VoteText = (typeof VOTE_TEXTS)[number]

/**
 * A vote without its texts and source. Covered values count as texts, because a short value could be guessed from its
 * hash.
 */
export type ClearVote = Omit<Vote, VoteText | 'via' | 'covers'> & { covers?: Pick<DecisionCovers, 'definition'> }

/** Texts of a vote by name. `covered_values`: hashes of the values that the decision covers, by name. */
export type VoteTextsByName = Partial<Pick<Vote, VoteText>> & { covered_values?: DecisionCovers['values'] }

/** The credential used for a vote. */
export interface VoteCredential {
  id: string
  /** Absent for credentials that are not stored, such as user tokens. */
  kind?: string
  /** Creator of the credential, if known. */
  created_by?: string
}

/**
 * The signed statement of a counted vote. Ids, hashes, names and times are in clear text. Texts and values are salted
 * hashes, so each can be disclosed separately, and the statement proves the vote after they are deleted.
 */
export interface VoteStatement {
  schema: 'vote/1'
  workspace_id: string
  brain_id: string | null
  job_id: string
  root_job_id: string
  intervention_id: string
  /** Sequence number within the task, starting at 1. */
  seq: number
  /** SHA-256 of the previous statement. Null in the first statement. */
  previous: string | null
  /** Database time, with microseconds. */
  recorded_at: string
  task: StatedTask
  run: StatedRun
  vote: ClearVote
  /** The assignee entry under which the person answered. */
  role: string
  credential: VoteCredential | null
  request_id: string | null
  /** Whether the vote completes the task. */
  decides: boolean
  /** SHA-256 of the canonical JSON of `[salt, name, value]`, by text name. */
  digests: Record<string, string>
}

/** The task at the time of the vote. */
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
  /** SHA-256 of everything that the person was shown. */
  shown_hash: string
}

/** The run at the time of the vote. */
export interface StatedRun {
  kind: JobKind
  pathway_id: string | null
  pathway_version: number | null
  neuron_id: string | null
  neuron_version: number | null
  requester: string
  /** The thread in which the run answers. Together with the name of a share token, it identifies the visitor. */
  trace_id: string | null
  /** Everyone behind the run. */
  people: string[]
  created_at: string
  definition_hash: string | null
}

/** A counted vote with its task. */
export interface CountedVote extends Vote {
  intervention_id: string
  decides: boolean
}

/**
 * Returns the assignee entry under which a person answered: their name, a group, or the person they substituted for.
 */
export const describeRole = ({ on_behalf_of, answered_as }: Pick<Vote, 'on_behalf_of' | 'answered_as'>): string =>
  on_behalf_of === undefined ? (answered_as ?? 'everyone') : `substitute of ${on_behalf_of}`

/** Splits a vote into its clear fields, its texts and its source. */
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
  /** Base64. */
  value: string
}
