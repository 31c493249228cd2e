import { z } from 'zod'
import { createBody } from '../../../routes/artifacts/schemas.ts'
import { ADDS, defineTool } from '../../tool.ts'
import { document, presentDocument } from './document.ts'

const { title, slug, path, content, media_type } = createBody.shape

export const createDocument = defineTool({
  name: 'create_document',
  title: 'Create a document',
  description: 'Creates a document that people and neurons can edit.',
  route: 'artifacts.create',
  hints: ADDS,
  isIdempotent: true,
  input: z.strictObject({ title, content, path, slug, media_type }),
  output: document,
  call: async ({ documents }, { principal, idempotency }, fields) =>
    presentDocument(await documents.artifacts.create(principal, fields, idempotency)),
})
