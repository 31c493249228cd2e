import { hashCanonical } from '../core/canonical-json.ts'
import {
  type AuditEntry,
  type DisclosedText,
  type EvidenceDocument,
  type EvidenceFile,
  type EvidenceProblem,
  type EvidenceProblemCode,
  type RecordedVote,
  SHOWN_TEXTS,
  type Statement,
} from './types.ts'

/** Days after which retention may remove audit log entries. */
const AUDIT_DAYS = 365
const DAY_MS = 86_400_000

/** A problem with one part, or undefined or false if there is none. */
type Check = EvidenceProblem | undefined | false

const problem = (code: EvidenceProblemCode, pointer: string, message: string): EvidenceProblem => ({
  code,
  pointer,
  message,
})

/** Compares the parts of the evidence with each other, without checking signatures. */
export async function findMismatches({
  document,
  shown: shownContent,
  texts = [],
}: Pick<EvidenceFile, 'document' | 'shown' | 'texts'>): Promise<EvidenceProblem[]> {
  const hashes = await Promise.all(document.votes.map(({ statement }) => hashCanonical(statement)))
  const checks: Check[] = [
    document.schema !== 'evidence/2' &&
      problem('MALFORMED', '/document/schema', `The schema is ${document.schema}, not evidence/2`),
    ...(await checkShown(document, shownContent)),
    ...document.votes.flatMap((vote, i) => checkVote(document, vote, { i, hashes })),
    ...checkDecision(document),
    ...(await Promise.all(texts.map((text, i) => checkText(document.votes, text, i)))),
    ...(await Promise.all(document.audit.map((entry, i) => checkEntry(document.audit, entry, i)))).flat(),
    ...checkAuditedVotes(document, hashes),
  ]
  return checks.filter(check => check !== undefined && check !== false)
}

async function checkShown({ intervention }: EvidenceDocument, shownContent: EvidenceFile['shown']): Promise<Check[]> {
  if (!shownContent) return []
  const isShown = (await hashCanonical(shownContent)) === intervention.shown_hash
  return [!isShown && problem('SHOWN_CHANGED', '/shown', 'The content was changed: its hash does not match')]
}

function checkVote(
  { workspace, intervention, votes }: EvidenceDocument,
  { statement, recorded_at }: RecordedVote,
  { i, hashes }: { i: number; hashes: string[] },
): Check[] {
  const { seq, previous, task, vote, decides } = statement
  const at = `/document/votes/${i}/statement`
  const excluded = findExcluded(vote, task)
  // Votes of people who were excluded later don't count.
  const counted = votes.slice(0, i + 1).filter(({ statement: { vote: other } }) => {
    return other.action === vote.action && findExcluded(other, task) === undefined
  })
  const isDecision = vote.action === 'reject' || counted.length >= task.quorum
  const person = vote.person ?? vote.by
  const isRepeated = votes.slice(0, i).some(({ statement: { vote: other } }) => (other.person ?? other.by) === person)
  const ids = [statement.schema, statement.workspace_id, statement.intervention_id, statement.job_id]
  const expected = ['vote/1', workspace.id, intervention.id, intervention.job_id]
  return [
    ids.some((id, j) => id !== expected[j]) && problem('VOTE_CHANGED', at, 'The vote belongs to another intervention'),
    seq !== i + 1 && problem('VOTE_MISSING', `${at}/seq`, `Vote ${i + 1} is missing; the next vote is ${seq}`),
    previous !== (hashes[i - 1] ?? null) &&
      problem('VOTE_CHANGED', `${at}/previous`, `Vote ${seq} does not follow the previous vote`),
    recorded_at !== statement.recorded_at &&
      problem('VOTE_CHANGED', `${at}/recorded_at`, `Vote ${seq} was recorded at ${recorded_at}`),
    task.shown_hash !== intervention.shown_hash &&
      problem('SHOWN_CHANGED', `${at}/task/shown_hash`, `${vote.by} was shown different content`),
    excluded !== undefined && problem('EXCLUDED_VOTED', `${at}/vote`, `${excluded} may not decide here`),
    isRepeated && problem('QUORUM_WRONG', `${at}/vote`, `${person} voted twice`),
    decides !== isDecision &&
      problem('QUORUM_WRONG', `${at}/decides`, `Vote ${seq} ${isDecision ? 'reaches' : 'does not reach'} the quorum`),
    votes.slice(0, i).some(({ statement: before }) => before.decides) &&
      problem('QUORUM_WRONG', at, `Vote ${seq} follows the decision`),
  ]
}

/** Returns the name under which a voter is excluded. */
const findExcluded = ({ by, person, on_behalf_of }: Statement['vote'], { excluded }: Statement['task']) =>
  [by, person, on_behalf_of].find(name => name !== undefined && excluded.includes(name))

/** Checks that the decision matches the deciding vote. */
function checkDecision({ votes, decision, intervention }: EvidenceDocument): Check[] {
  const vote = votes.find(({ statement }) => statement.decides)?.statement.vote
  const { status = vote ? 'decided' : undefined } = intervention
  const isSame = vote
    ? vote.by === decision?.by && vote.action === decision.action && vote.at === decision.at && status === 'decided'
    : decision === null && status !== 'decided'
  const by = vote ? `vote of ${vote.by} to ${vote.action}` : 'missing decision'
  return [!isSame && problem('DECISION_CHANGED', '/document/decision', `The decision does not match the ${by}`)]
}

async function checkText(votes: RecordedVote[], { seq, name, salt, value }: DisclosedText, i: number): Promise<Check> {
  const digest = await hashCanonical([salt, name, value])
  const isShared = SHOWN_TEXTS.has(name)
  const stated = votes.filter(({ statement }) => (isShared ? seq === 0 : statement.seq === seq))
  if (stated.length > 0 && stated.every(({ statement }) => statement.digests[name] === digest)) return undefined
  return problem('TEXT_CHANGED', `/texts/${i}`, `The ${name} does not match the signature`)
}

async function checkEntry(audit: AuditEntry[], { seal, id, ...entry }: AuditEntry, i: number): Promise<Check[]> {
  if (!seal) return []
  const { seq, previous, row_hash, hash } = seal
  const link = [previous, seq, id, entry.at, row_hash]
  const before = audit.find(other => other.seal?.seq === seq - 1)?.seal?.hash ?? previous
  const isIntact = (await hashCanonical(entry)) === row_hash && (await hashCanonical(link)) === hash
  return [
    !isIntact && problem('AUDIT_CHANGED', `/document/audit/${i}`, `Entry ${id} does not match its seal`),
    before !== previous &&
      problem('AUDIT_CHANGED', `/document/audit/${i}/seal`, `Seal ${seq} does not follow the previous seal`),
  ]
}

/** Checks that each vote has an audit log entry, and that each such entry has a vote. */
function checkAuditedVotes({ votes, audit, created_at }: EvidenceDocument, hashes: string[]): Check[] {
  const answers = audit.filter(({ action }) => action === 'intervention.answer')
  const missing = votes.map(({ statement, recorded_at }, i) => {
    const entry = answers.find(({ details }) => details['statement_hash'] === hashes[i])
    const pointer = `/document/votes/${i}`
    const mayBeExpired = Date.parse(created_at) - Date.parse(recorded_at) > AUDIT_DAYS * DAY_MS
    if (!entry)
      return !mayBeExpired && problem('AUDIT_MISSING', pointer, `The audit log has no entry for vote ${statement.seq}`)
    const { vote, credential, task } = statement
    const isSame =
      entry.actor === vote.by &&
      entry.at === recorded_at &&
      entry.key_id === (credential?.id ?? null) &&
      entry.before_hash === task.shown_hash
    return !isSame && problem('AUDIT_CHANGED', pointer, `Audit log entry ${entry.id} does not match the vote`)
  })
  const lost = answers.map(
    ({ id, details }, i) =>
      !hashes.includes(details['statement_hash'] as string) &&
      problem('VOTE_MISSING', `/document/audit/${i}`, `The vote for audit log entry ${id} is missing`),
  )
  return [...missing, ...lost]
}
