import { writeCanonical } from '../core/canonical-json.ts'
import { findMismatches } from './find-mismatches.ts'
import {
  type EvidenceFile,
  type EvidenceKey,
  type EvidenceProblem,
  type EvidenceSignature,
  SHOWN_TEXTS,
} from './types.ts'

/** The result of a verification. */
export interface EvidenceReport {
  /** Whether verification found no problems. */
  verified: boolean
  /** All parts that failed verification. */
  problems: EvidenceProblem[]
  /** Ids of the keys that made valid signatures. */
  key_ids: string[]
  votes: number
  /**
   * Numbers of disclosed and withheld texts. A text is withheld if a purge removed it or someone omitted it.
   */
  disclosed_texts: number
  withheld_texts: number
}

/**
 * Verifies evidence offline: the signatures on the document and on each vote, the salted hashes and the content hash.
 * Also verifies the order of the votes, the quorum, excluded people, and the audit log entries with their seals.
 * Resolves with every problem, even if the input is not evidence.
 * @param keys as returned by `GET /v1/evidence-keys`, or stored copies
 */
export async function verifyEvidence(evidence: unknown, keys: EvidenceKey[]): Promise<EvidenceReport> {
  const report: EvidenceReport = {
    verified: false,
    problems: [],
    key_ids: [],
    votes: 0,
    disclosed_texts: 0,
    withheld_texts: 0,
  }
  try {
    const file = evidence as EvidenceFile
    const signed = [
      { pointer: '/signature', content: file.document as unknown, signature: file.signature },
      ...file.document.votes.map(({ statement, signature }, i) => ({
        pointer: `/document/votes/${i}/signature`,
        content: statement as unknown,
        signature,
      })),
    ]
    const checked = await Promise.all(signed.map(each => checkSignature(each, keys)))
    const mismatches = await findMismatches(file)
    report.problems = [...checked.flatMap(({ problems }) => problems), ...mismatches, ...findNoted(file, mismatches)]
    report.key_ids = [...new Set(checked.flatMap(({ key_id }) => (key_id === undefined ? [] : [key_id])))]
    report.votes = file.document.votes.length
    report.disclosed_texts = file.texts?.length ?? 0
    const names = file.document.votes.flatMap(({ statement }, i) =>
      Object.keys(statement.digests).filter(name => i === 0 || !SHOWN_TEXTS.has(name)),
    )
    report.withheld_texts = names.length - report.disclosed_texts
  } catch (error) {
    const message = `The input is not evidence with the schema evidence/2: ${(error as Error).message}`
    report.problems = [{ code: 'MALFORMED', pointer: '', message }]
  }
  return { ...report, verified: report.problems.length === 0 }
}

/** Returns recorded mismatches that the local checks did not find, because only the service can detect them. */
const findNoted = ({ document }: EvidenceFile, problems: EvidenceProblem[]): EvidenceProblem[] =>
  document.mismatches.filter(
    noted => !problems.some(({ code, pointer }) => code === noted.code && pointer === noted.pointer),
  )

interface SignedPart {
  pointer: string
  content: unknown
  signature: EvidenceSignature | null
}

async function checkSignature(
  { pointer, content, signature }: SignedPart,
  keys: EvidenceKey[],
): Promise<{ problems: EvidenceProblem[]; key_id?: string }> {
  if (!signature)
    return {
      problems: [{ code: 'UNSIGNED', pointer, message: 'The vote was recorded without a key and is not signed' }],
    }
  const { key_id, value, algorithm } = signature as EvidenceSignature & { algorithm?: string }
  const usable = keys.filter(key => key.key_id === undefined || key.key_id === key_id)
  if (usable.length === 0)
    return { problems: [{ code: 'KEY_UNKNOWN', pointer, message: `Key ${key_id} is not one of the given keys` }] }
  const bytes = new TextEncoder().encode(writeCanonical(content))
  const holds = await Promise.all(usable.map(key => isSignedBy(key, value, bytes)))
  if (algorithm === 'Ed25519' && holds.includes(true)) return { problems: [], key_id }
  const message = 'Invalid signature: the content, the signature or the key was changed'
  return { problems: [{ code: 'SIGNATURE_INVALID', pointer, message }] }
}

async function isSignedBy(
  { public_key }: EvidenceKey,
  value: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const signature = decode(value)
  const spki = decode(public_key.replaceAll(/-----[^-]+-----/g, ''))
  // Reject other Base64 encodings of the same bytes.
  if (!signature || !spki || encode(signature) !== value) return false
  const key = await crypto.subtle.importKey('spki', spki, 'Ed25519', false, ['verify']).catch(() => undefined)
  return key !== undefined && crypto.subtle.verify('Ed25519', key, signature, bytes)
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const encode = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
