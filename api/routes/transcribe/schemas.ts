import { z } from 'zod'
import type { Transcript } from '../../../domain/speech/transcript.ts'
import { line } from '../../routing/schemas.ts'
import { Upload } from '../../uploads/upload.ts'

/** The bytes have been taken out of the body when this is checked. */
export const audioFields = {
  audio_base64: z.instanceof(Upload, { error: 'is audio in base64' }).meta({
    type: 'string',
    contentEncoding: 'base64',
    description: 'A whole file: WAV, MP3, M4A, WebM, Ogg or FLAC',
  }),
  mime_type: line(200).meta({ description: 'What it is, as audio/mpeg', example: 'audio/mpeg' }),
}

export const transcribeBody = z
  .strictObject({ ...audioFields, brain_id: z.uuid().optional() })
  .meta({ id: 'TranscribeBody' })

const time = z.number().meta({ description: 'Seconds since the beginning' })

const spokenSegment = z.object({ start: time, end: time, text: z.string() }).meta({ id: 'SpokenSegment' })

export const transcript = z
  .object({
    text: z.string(),
    language: z.string().optional().meta({ description: 'As the speech service calls it' }),
    duration_seconds: z.number(),
    segments: z.array(spokenSegment),
  })
  .meta({ id: 'Transcript' }) satisfies z.ZodType<Transcript>
