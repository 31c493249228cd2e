import { z } from 'zod'
import { READABLE_AUDIO } from '../../../domain/speech/audio.ts'
import { line } from '../../routing/schemas.ts'
import { Upload } from '../../uploads/upload.ts'

/** Checked after the audio bytes are taken out of the body. */
export const audioFields = {
  audio_base64: z.instanceof(Upload, { error: 'must be audio in base64' }).meta({
    type: 'string',
    contentEncoding: 'base64',
    description: `A complete file in ${READABLE_AUDIO}`,
  }),
  mime_type: line(200).meta({ description: 'Media type, such as audio/mpeg', example: 'audio/mpeg' }),
}

export const transcribeBody = z.strictObject(audioFields).meta({ id: 'TranscribeBody' })
