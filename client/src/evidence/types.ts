/** Evidence as the service returns it, limited to the fields that the verification needs. */
export interface EvidenceFile {
  document: EvidenceDocument
  /** Content shown to the voters. Null or absent if it is not disclosed. */
  shown?: Record<string, unknown> | null
  /** Texts and values with their salts. You can omit any of them; the rest can still be verified. */
  texts?: DisclosedText[]
  signature: EvidenceSignature | null
}

export interface EvidenceSignature {
  key_id: string
  value: string
}

/** Names of the texts shown to all voters. */
export const SHOWN_TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'form', 'questions', 'context'])

export interface DisclosedText {
  /** Number of the vote that the text belongs to, or 0 for texts shown to all voters. */
  seq: number
  name: string
  salt: string
  value: unknown
}

export interface EvidenceDocument {
  schema: string
  created_at: string
  workspace: { id: string }
  intervention: { id: string; job_id: string; shown_hash: string; status?: string }
  votes: RecordedVote[]
  decision: { by: string; action: string; at: string } | null
  audit: AuditEntry[]
  mismatches: EvidenceProblem[]
}

export interface RecordedVote {
  recorded_at: string
  statement: Statement
  signature: EvidenceSignature | null
}

/** The statement that was signed when the vote was counted. */
export interface Statement {
  schema: string
  workspace_id: string
  intervention_id: string
  job_id: string
  seq: number
  previous: string | null
  recorded_at: string
  task: { quorum: number; excluded: string[]; shown_hash: string }
  vote: { by: string; person?: string; on_behalf_of?: string; action: string; at: string }
  credential: { id: string } | null
  decides: boolean
  digests: Record<string, string>
}

export interface AuditEntry {
  id: number
  at: string
  actor: string
  key_id: string | null
  action: string
  before_hash: string | null
  details: Record<string, unknown>
  seal: { seq: number; previous: string; row_hash: string; hash: string } | null
}

/** A public key of the service. If the id is absent, the key is tried for every signature. */
export interface EvidenceKey {
  key_id?: string
  /** PEM (SPKI). */
  public_key: string
}

export type EvidenceProblemCode =
  | 'MALFORMED'
  | 'UNSIGNED'
  | 'KEY_UNKNOWN'
  | 'SIGNATURE_INVALID'
  | 'VOTE_MISSING'
  | 'VOTE_CHANGED'
  | 'TEXT_CHANGED'
  | 'TEXT_MISSING'
  | 'SHOWN_CHANGED'
  | 'DECISION_CHANGED'
  | 'QUORUM_WRONG'
  | 'EXCLUDED_VOTED'
  | 'AUDIT_CHANGED'
  | 'AUDIT_MISSING'

export interface EvidenceProblem {
  code: EvidenceProblemCode
  /** JSON pointer to the part of the evidence that has the problem. */
  pointer: string
  message: string
}
