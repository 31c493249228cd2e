import { MIMEType } from 'node:util'
import { fileTypeFromBuffer } from 'file-type'
import { AppError, PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../domain/errors.ts'
import { type AudioFormat, type AudioRef, findAudioFormat, READABLE_AUDIO } from '../../domain/speech/audio.ts'
import type { ReceivedAudio } from './types.ts'

/** Formats are recognised within this many bytes; the time it takes does not grow with the audio. */
const SAMPLE_BYTES = 65_536
const SHOWN = 100

/**
 * What an audio is, by what its sender declares and by its bytes, which have to agree. Throws ValidationError,
 * PayloadTooLarge and UnsupportedMediaType.
 */
export async function inspectAudio({ content, mime_type }: ReceivedAudio, maxBytes: number): Promise<AudioRef> {
  const { bytes, sha256 } = content
  if (bytes.byteLength === 0)
    throw new ValidationError('The audio is empty', [{ pointer: '/audio_base64', message: 'must not be empty' }])
  if (bytes.byteLength > maxBytes)
    throw new PayloadTooLarge(`The audio must have at most ${maxBytes} bytes, not ${bytes.byteLength}`)
  return { sha256, size: bytes.byteLength, format: await formatOf(bytes, mime_type) }
}

/** Throws UnsupportedMediaType where the bytes are not what is declared, or neither is taken. */
export async function formatOf(bytes: Uint8Array, mime_type: string): Promise<AudioFormat> {
  const declared = declaredFormat(mime_type)
  const found = await typeOf(bytes)
  if (found === undefined || findAudioFormat(found) !== declared)
    throw unsupported(
      '/audio_base64',
      `The audio is declared as ${essenceOf(mime_type)}, but its bytes are ${found ?? 'of an unknown type'}`,
    )
  return declared
}

function declaredFormat(declared: string): AudioFormat {
  const format = findAudioFormat(essenceOf(declared))
  if (format) return format
  throw unsupported('/mime_type', `"${declared.slice(0, SHOWN)}" is not supported; supported are ${READABLE_AUDIO}`)
}

/** Without parameters, such as the codecs that recorders name. */
function essenceOf(declared: string): string {
  try {
    return new MIMEType(declared).essence
  } catch {
    throw unsupported('/mime_type', `"${declared.slice(0, SHOWN)}" must be a media type`)
  }
}

/** The library fails on some bytes that are cut off where it looks. */
async function typeOf(bytes: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)).catch(() => undefined)
  return found && new MIMEType(found.mime).essence
}

/** Says where in the request the problem is. */
function unsupported(pointer: string, message: string): AppError {
  const { code, status } = new UnsupportedMediaType(message)
  return new AppError(code, status, message, { details: [{ pointer, message }] })
}
