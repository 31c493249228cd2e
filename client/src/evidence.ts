export { findMismatches } from './evidence/find-mismatches.ts'
export type {
  DisclosedText,
  EvidenceDocument,
  EvidenceFile,
  EvidenceKey,
  EvidenceProblem,
  EvidenceProblemCode,
} from './evidence/types.ts'
export { type EvidenceReport, verifyEvidence } from './evidence/verify.ts'
