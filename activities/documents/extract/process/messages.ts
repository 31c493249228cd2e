import type { DocumentSource } from '../../../../services/documents/reading/extracted.ts'
import type { ExtractLimits } from '../../../../services/documents/reading/limits.ts'

export interface ExtractJob {
  source: DocumentSource
  limits: ExtractLimits
}

/** Kinds of frames that the process sends: any number of progress and text frames, then a result or a failure. */
export const FRAME = { progress: 1, failure: 2, text: 3, result: 4 } as const
