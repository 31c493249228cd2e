import { z } from 'zod'
import { READABLE_AUDIO, spokenLanguage } from '../../domain/speech/audio.ts'
import { line, visibleLine } from '../shared/text.ts'
import { Upload } from '../shared/upload.ts'

/** Checked after the audio bytes are taken out of the body. */
export const audioFields = {
  audio_base64: z.instanceof(Upload, { error: 'must be audio in base64' }).meta({
    type: 'string',
    contentEncoding: 'base64',
    description: `A complete file in ${READABLE_AUDIO}`,
  }),
  mime_type: line(200).meta({ description: 'Media type, such as audio/mpeg', example: 'audio/mpeg' }),
}

const language = spokenLanguage.meta({
  description: 'The language that is spoken, such as en. Default: the speech service finds it out.',
})

export const transcribeBody = z.strictObject({ ...audioFields, language }).meta({ id: 'TranscribeBody' })

export const transcribeForm = z.strictObject({
  file: z.instanceof(Upload, { error: 'must be a file' }).meta({
    type: 'string',
    format: 'binary',
    description: `A complete file in ${READABLE_AUDIO}`,
  }),
  mime_type: audioFields.mime_type.optional().meta({ description: 'Default: the media type of the file' }),
  file_name: visibleLine(255).optional().meta({ description: 'Default: the name of the file. It is not kept.' }),
  language,
})
