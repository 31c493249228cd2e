import { z } from 'zod'
import { defineTool, READS } from '../../tool.ts'
import { page, total } from '../page.ts'
import { documentReference, parseDocument } from './reference.ts'

export const documentHistory = defineTool({
  name: 'document_history',
  title: 'List the versions of a document',
  description: 'Lists the versions of a document, latest first. read_document reads one.',
  route: 'artifacts.history',
  hints: READS,
  input: z.strictObject({ id: documentReference, ...page }),
  output: z.object({
    versions: z.array(
      z.object({ version: z.int(), author: z.string(), note: z.string().nullable(), created_at: z.string() }),
    ),
    total,
  }),
  async call({ documents }, { principal }, { id, ...page }) {
    const { kind, idOrSlug } = parseDocument(id)
    const found = await documents[kind].history(principal, idOrSlug, page)
    const versions = found.data.map(({ version, author, note, created_at }) => ({ version, author, note, created_at }))
    return { versions, total: found.total }
  },
})
