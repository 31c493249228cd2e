import { MIMEType } from 'node:util'
import { fileTypeFromBuffer } from 'file-type'
import { PayloadTooLarge, ValidationError } from '../../domain/shared/errors.ts'
import { type AudioFormat, type AudioRef, findAudioFormat, READABLE_AUDIO } from '../../domain/speech/audio.ts'
import type { ReceivedContent } from '../../contract/shared/upload.ts'

/** Audio received in a request, with its declared media type. */
export interface ReceivedAudio {
  content: ReceivedContent
  mime_type: string
  /** The request field that contains the bytes. A file's type may be empty or `application/octet-stream`. */
  from?: 'audio_base64' | 'file'
  /** The spoken language, if known. */
  language?: string
}

/** The format is detected within this number of bytes, so that detection time does not grow with audio size. */
const SAMPLE_BYTES = 65_536
const ANY_BYTES = 'application/octet-stream'
const MUST_BE_AUDIO = `must be ${READABLE_AUDIO}`

/**
 * Detects the audio format from the declared type and the bytes, which must match. Throws ValidationError and
 * PayloadTooLarge.
 */
export async function inspectAudio(received: ReceivedAudio, maxBytes: number): Promise<AudioRef> {
  const { content, mime_type, from = 'audio_base64', language } = received
  const { bytes, sha256 } = content
  if (bytes.byteLength === 0)
    throw new ValidationError('The audio is empty', [{ pointer: `/${from}`, message: 'must not be empty' }])
  if (bytes.byteLength > maxBytes)
    throw new PayloadTooLarge(`The audio must have at most ${maxBytes} bytes, not ${bytes.byteLength}`)
  const format = await detectAudioFormat(bytes, mime_type, from)
  return { sha256, size: bytes.byteLength, format, ...(language !== undefined && { language }) }
}

/**
 * Throws ValidationError if the bytes do not match the declared type, or if the type is not supported. Without a
 * declared type, the bytes determine the type.
 */
export async function detectAudioFormat(
  bytes: Uint8Array,
  mime_type: string,
  from: ReceivedAudio['from'] = 'audio_base64',
): Promise<AudioFormat> {
  const essence = mime_type === '' ? ANY_BYTES : parseEssence(mime_type)
  const mediaType = await detectMediaType(bytes)
  const format = mediaType === undefined ? undefined : findAudioFormat(mediaType)
  if (from === 'file' && essence === ANY_BYTES) return format ?? throwAudioError('/file', MUST_BE_AUDIO)
  const declared = findAudioFormat(essence) ?? throwAudioError('/mime_type', MUST_BE_AUDIO)
  if (format === declared) return declared
  return throwAudioError(
    `/${from}`,
    `must be ${essence}, as declared, but its content is ${mediaType ?? 'of an unknown type'}`,
  )
}

/** Returns a media type without its parameters, such as codecs. */
function parseEssence(declared: string): string {
  try {
    return new MIMEType(declared).essence
  } catch {
    return throwAudioError('/mime_type', 'must be a media type, such as audio/mpeg')
  }
}

/** Detects the media type from the bytes. The library throws for some truncated audio. */
async function detectMediaType(bytes: Uint8Array): Promise<string | undefined> {
  const fileType = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)).catch(() => undefined)
  return fileType && new MIMEType(fileType.mime).essence
}

function throwAudioError(pointer: string, message: string): never {
  throw new ValidationError(`The audio ${message}`, [{ pointer, message }])
}
