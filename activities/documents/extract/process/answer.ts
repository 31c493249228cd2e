import { z } from 'zod'
import { type Frame, parsePayload } from '../../../shared/isolation/frames.ts'
import {
  DOCUMENT_ERROR_CODES,
  DocumentError,
  textTooLongError,
} from '../../../../services/documents/reading/document-error.ts'
import { type ExtractedDocument, extractedSchema } from '../../../../services/documents/reading/extracted.ts'
import { FRAME } from './messages.ts'

const progress = z.object({ done: z.number(), total: z.number() })
const failure = z.object({ code: z.enum(DOCUMENT_ERROR_CODES), message: z.string(), detail: z.string().optional() })
const result = extractedSchema.omit({ text: true })

/** The part of a process's answer that has been received so far. */
export interface Answer {
  /**
   * Adds a frame. Returns true once the answer is complete. Throws if the frame is invalid or there is too much text.
   */
  add(frame: Frame): boolean
  extracted?: ExtractedDocument
  failure?: DocumentError
  /** The parser's own error, for the log. */
  detail?: string
}

export function createAnswer(maxChars: number, onProgress: (done: number, total: number) => void): Answer {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  let chars = 0

  function addText(part: string): void {
    chars += part.length
    if (chars > maxChars) throw textTooLongError(maxChars)
    parts.push(part)
  }

  const answer: Answer = {
    add(frame) {
      if (frame.kind === FRAME.text) addText(decoder.decode(frame.payload, { stream: true }))
      else if (frame.kind === FRAME.progress) {
        const { done, total } = progress.parse(parsePayload(frame))
        onProgress(done, total)
      } else if (frame.kind === FRAME.result)
        answer.extracted = { text: parts.join(''), ...result.parse(parsePayload(frame)) }
      else {
        const { code, message, detail } = failure.parse(parsePayload(frame))
        Object.assign(answer, { failure: new DocumentError(code, message), detail })
      }
      return answer.extracted !== undefined || answer.failure !== undefined
    },
  }
  return answer
}
