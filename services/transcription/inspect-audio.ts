import { MIMEType } from 'node:util'
import { fileTypeFromBuffer } from 'file-type'
import { PayloadTooLarge, ValidationError } from '../../domain/errors.ts'
import { type AudioFormat, type AudioRef, findAudioFormat, READABLE_AUDIO } from '../../domain/speech/audio.ts'
import type { ReceivedAudio } from './types.ts'

/** The format is detected in this number of bytes, so the time does not grow with the size of the audio. */
const SAMPLE_BYTES = 65_536
const SHOWN = 100

/**
 * Detects the format of an audio from its declared type and its bytes, which must agree. Throws ValidationError
 * and PayloadTooLarge.
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
 * Throws ValidationError when the bytes differ from the declared type, or the type is not supported. The type of a file
 * that a form does not name is that of its bytes.
 */
export async function detectAudioFormat(
  bytes: Uint8Array,
  mime_type: string,
  from: ReceivedAudio['from'] = 'audio_base64',
): Promise<AudioFormat> {
  const found = await detectMediaType(bytes)
  const isUndeclared = from === 'file' && parseEssence(mime_type) === 'application/octet-stream'
  if (isUndeclared && found === undefined) throw unsupported('/file', `The file must be audio: ${READABLE_AUDIO}`)
  const declared = parseDeclaredFormat(isUndeclared && found !== undefined ? found : mime_type)
  if (found === undefined || findAudioFormat(found) !== declared)
    throw unsupported(
      `/${from}`,
      `The audio is declared as ${parseEssence(mime_type)}, but its bytes are ${found ?? 'of an unknown type'}`,
    )
  return declared
}

function parseDeclaredFormat(declared: string): AudioFormat {
  const format = findAudioFormat(parseEssence(declared))
  if (format) return format
  throw unsupported('/mime_type', `"${declared.slice(0, SHOWN)}" is not supported; supported are ${READABLE_AUDIO}`)
}

/** Returns a media type without its parameters, such as codecs. */
function parseEssence(declared: string): string {
  try {
    return new MIMEType(declared).essence
  } catch {
    throw unsupported('/mime_type', `"${declared.slice(0, SHOWN)}" must be a media type`)
  }
}

/** Detects the media type of bytes. The library throws on some truncated audio. */
async function detectMediaType(bytes: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)).catch(() => undefined)
  return found && new MIMEType(found.mime).essence
}

const unsupported = (pointer: string, message: string) => new ValidationError(message, [{ pointer, message }])
