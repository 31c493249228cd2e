import { z } from 'zod'
import { DOCUMENT_ERROR_CODES, DocumentError, tooMuchText } from '../document-error.ts'
import { type Extracted, extractedSchema } from '../extracted.ts'
import { FRAME, type Frame } from './frames.ts'

const progress = z.object({ done: z.number(), total: z.number() })
const failure = z.object({ code: z.enum(DOCUMENT_ERROR_CODES), message: z.string(), detail: z.string().optional() })
const result = extractedSchema.omit({ text: true })

/** What a process has said so far. */
export interface Answer {
  /** True once nothing more is to come. Throws where a frame is none of ours, or there is too much. */
  take(frame: Frame): boolean
  extracted?: Extracted
  failure?: DocumentError
  /** What the parser itself said of a failure, for the log. */
  detail?: string
}

export function createAnswer(maxChars: number, onProgress: (done: number, total: number) => void): Answer {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  let chars = 0
  const answer: Answer = {
    take({ kind, payload }) {
      if (kind === FRAME.text) addText(decoder.decode(payload, { stream: true }))
      else if (kind === FRAME.progress) tellProgress(progress.parse(jsonOf(payload)))
      else if (kind === FRAME.result) answer.extracted = { text: parts.join(''), ...result.parse(jsonOf(payload)) }
      else fail(failure.parse(jsonOf(payload)))
      return answer.extracted !== undefined || answer.failure !== undefined
    },
  }
  return answer

  function addText(part: string): void {
    chars += part.length
    if (chars > maxChars) throw tooMuchText(maxChars)
    parts.push(part)
  }

  function tellProgress({ done, total }: z.infer<typeof progress>): void {
    onProgress(done, total)
  }

  function fail({ code, message, detail }: z.infer<typeof failure>): void {
    answer.failure = new DocumentError(code, message)
    answer.detail = detail
  }
}

const jsonOf = (payload: Buffer): unknown => JSON.parse(payload.toString())
