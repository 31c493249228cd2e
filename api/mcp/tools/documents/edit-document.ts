import { z } from 'zod'
import { contentChange } from '../../../routes/resources/schemas.ts'
import { defineTool, REPLACES } from '../../tool.ts'
import { document, presentDocument } from './document.ts'
import { documentReference, parseDocument } from './reference.ts'
import { ValidationError } from '../../../../domain/errors.ts'

export const editDocument = defineTool({
  name: 'edit_document',
  title: 'Edit a document',
  description:
    'Changes the text of a document, which makes its next version; former versions stay. Give exactly one of `edits`, `append` and `replace`. Fails if the document is no longer at `expected_version`: read it again then.',
  route: 'artifacts.update',
  hints: REPLACES,
  input: z.strictObject({
    id: documentReference,
    expected_version: z.int().min(1).meta({ description: 'The version that the change is made for' }),
    edits: z
      .array(z.strictObject({ find: z.string().min(1), replace: z.string() }))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Each `find` must occur exactly once' }),
    append: z.string().min(1).optional(),
    replace: z.string().optional().meta({ description: 'The whole new text' }),
    note: z.string().max(1_000).optional().meta({ description: 'What changed, for the history' }),
  }),
  output: document,
  async call({ documents }, { principal }, { id, expected_version, note, ...change }) {
    const { kind, idOrSlug } = parseDocument(id)
    if (kind === 'assets') throw new ValidationError('The text of an ingested document cannot be edited')
    const content = contentChange.safeParse(change)
    if (!content.success) throw new ValidationError('Give exactly one of edits, append and replace')
    const envelope = { content: content.data, note }
    return presentDocument(await documents.artifacts.patch(principal, idOrSlug, envelope, expected_version))
  },
})
