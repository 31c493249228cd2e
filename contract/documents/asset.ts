import { z } from 'zod'
import { title } from '../../domain/resources/names.ts'
import type { ValidationError } from '../../domain/shared/errors.ts'
import { zodProblems } from '../../domain/shared/zod-problems.ts'
import { requireExactlyOne } from '../shared/body-rules.ts'
import { brainId } from '../shared/brain-id.ts'
import { errorBody } from '../shared/error.ts'
import { invalidRequestError } from '../../domain/shared/invalid-request.ts'
import { pageSchema } from '../shared/page.ts'
import { line, visibleLine } from '../shared/text.ts'
import { Upload } from '../shared/upload.ts'
import { givenFields, shownFields } from './document.ts'

/** The body parser has already replaced valid content with an Upload, so any other value is invalid. */
export const content = (message: string) => z.instanceof(Upload, { error: message })

export const fileName = visibleLine(255)
  .refine(name => !/[/\\]/.test(name), 'must be a file name without folders')
  .optional()

export const mediaTypeOfContent = line(200)
  .optional()
  .meta({ description: 'Media type of the content. Default: detected from the name and the bytes.' })

const common = {
  mime_type: mediaTypeOfContent,
  file_name: fileName,
  title: title
    .optional()
    .meta({ description: 'Default: the document title, the file name, or the first words of the text' }),
  source_key: line(500).optional().meta({
    description:
      'Id of the document in its source system. It identifies the document even after you move it. Default: the folder and file name identify the document.',
  }),
  ...givenFields,
}

export const ingestBody = requireExactlyOne(
  z
    .strictObject({
      text: content('must be a string').optional().meta({ type: 'string' }),
      content_base64: content('must be a string in base64')
        .optional()
        .meta({ type: 'string', contentEncoding: 'base64' }),
      ...common,
      brain_id: brainId,
    })
    .meta({ id: 'IngestBody' }),
  ['text', 'content_base64'],
  '; send files as multipart/form-data',
)

const MAX_BATCH = 100

/** Validates each document in a batch separately, so that an invalid one doesn't reject the others. */
const checkedDocument = ingestBody.catch(({ error }) => invalidRequestError(zodProblems(error)) as never) as z.ZodType<
  z.output<typeof ingestBody> | ValidationError
>

export const ingestBatch = z
  .strictObject({
    documents: z
      .array(checkedDocument)
      .min(1)
      .max(MAX_BATCH)
      .meta({ type: 'array', items: { $ref: '#/components/schemas/IngestBody' }, minItems: 1, maxItems: MAX_BATCH }),
  })
  .meta({ id: 'IngestBatch' })

export const ingestForm = z.strictObject({
  file: content('must be a file').meta({ type: 'string', format: 'binary' }),
  ...common,
  metadata: common.metadata.meta({ description: 'Metadata as a JSON object' }),
})

const extraction = z
  .object({
    status: z
      .enum(['processing', 'ready', 'failed', 'none'])
      .meta({ description: '`none`: the document has no text, such as an image' }),
    job_id: z
      .string()
      .optional()
      .meta({ description: 'Job that is extracting the text. Absent when no extraction is running.' }),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    title: z.string().optional().meta({ description: 'Title found in the document' }),
    pages: z.int().optional(),
    characters: z.int().optional(),
    metadata: z.record(z.string(), z.string()).optional().meta({
      description: 'Metadata found in the document. `note` names limitations of the text, such as pages without text.',
    }),
  })
  .meta({
    id: 'Extraction',
    description: 'Progress of text extraction. The document becomes searchable once its text is extracted.',
  })

/** The state of a document's text extraction. */
export type Extraction = z.output<typeof extraction>

export const asset = z
  .object({
    ...shownFields,
    charset: z.string().optional(),
    file_name: z.string().optional(),
    source_key: z.string().optional(),
    extraction,
  })
  .meta({ id: 'Asset' })

/** An ingested document. Its content never changes within a version. */
export type AssetView = z.output<typeof asset>

export const assetPage = pageSchema(asset)

export const ingested = z
  .object({
    asset,
    job_id: z.string().nullable().meta({ description: 'Job that extracts the text. Null if extraction is complete.' }),
    updated: z.array(z.string()).meta({
      description: 'Fields of an existing asset that this request changed, such as `title` or `sha256`',
    }),
  })
  .meta({ id: 'Ingested' })

export type IngestReply = z.output<typeof ingested>

const status = z.int().meta({ description: 'HTTP status that a separate request for this document would get' })

export const ingestedBatch = z
  .object({
    results: z
      .array(z.union([ingested.extend({ status }), errorBody.extend({ status })]))
      .meta({ description: 'One result per document, in request order' }),
  })
  .meta({ id: 'IngestedBatch' })
