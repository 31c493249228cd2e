import { z } from 'zod'
import { READABLE_AUDIO, spokenLanguage } from '../../domain/speech/audio.ts'
import { line, visibleLine } from '../shared/text.ts'
import { Upload } from '../shared/upload.ts'

/** Validated after the audio bytes are extracted from the body. */
export const audioFields = {
  audio_base64: z.instanceof(Upload, { error: 'must be audio in base64' }).meta({
    type: 'string',
    contentEncoding: 'base64',
    description: `Complete audio file: ${READABLE_AUDIO}`,
  }),
  mime_type: line(200).meta({ description: 'Media type, such as audio/mpeg', example: 'audio/mpeg' }),
}

const language = spokenLanguage.meta({
  description: 'Spoken language, such as en. Default: the speech service detects it.',
})

export const transcribeBody = z.strictObject({ ...audioFields, language }).meta({ id: 'TranscribeBody' })

export const transcribeForm = z.strictObject({
  file: z.instanceof(Upload, { error: 'must be a file' }).meta({
    type: 'string',
    format: 'binary',
    description: `Complete audio file: ${READABLE_AUDIO}`,
  }),
  mime_type: audioFields.mime_type.optional().meta({ description: 'Default: the media type of the uploaded file' }),
  file_name: visibleLine(255)
    .optional()
    .meta({ description: 'Default: the name of the uploaded file. The name is not stored.' }),
  language,
})
