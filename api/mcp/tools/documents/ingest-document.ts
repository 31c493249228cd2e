import { z } from 'zod'
import { hash } from 'node:crypto'
import { folderPath, title } from '../../../../domain/resources/names.ts'
import { line } from '../../../routing/schemas.ts'
import { ADDS, defineTool } from '../../tool.ts'
import { document, presentDocument } from './document.ts'

export const ingestDocument = defineTool({
  name: 'ingest_document',
  title: 'Ingest a document',
  description:
    'Stores a text so that it can be searched and read; its content never changes within a version. The same text again in the same folder is the same document; a new text with the same `source_key` is its next version.',
  route: 'assets.ingest',
  hints: { ...ADDS, idempotentHint: true },
  isIdempotent: true,
  input: z.strictObject({
    text: z.string().min(1),
    title: title.optional(),
    path: folderPath.optional(),
    mime_type: line().optional().meta({ description: 'Such as text/markdown. Default: found in the text.' }),
    source_key: line(500).optional().meta({ description: 'Where the text is from, such as a URL' }),
  }),
  output: z.object({
    document,
    job_id: z.string().optional().meta({ description: 'Reads the text, for wait_for_run; absent if it is read' }),
  }),
  async call({ documents }, { principal, idempotency }, { text, ...fields }) {
    const bytes = Buffer.from(text)
    const content = { bytes, sha256: hash('sha256', bytes, 'hex') }
    const { asset, job_id } = await documents.ingest(principal, { ...fields, content, from: 'text' }, idempotency)
    return { document: presentDocument(asset), job_id: job_id ?? undefined }
  },
})
