import { z } from 'zod'
import { isPrincipalName, PRINCIPAL, PRINCIPAL_RULE } from '../../domain/access/principal.ts'
import { findResourceKind, KIND_NAMES } from '../../domain/resources/kinds/index.ts'
import { kindName } from '../../domain/resources/names.ts'
import { EXTRACTED_KINDS } from '../../domain/stakeholders/extracted-kinds.ts'
import { requireExactlyOne } from '../shared/body-rules.ts'
import { line } from '../shared/text.ts'
import { resource_id } from './map.ts'

const MAX_TEXT_CHARS = 500_000

/** Plural or singular. */
const extractedKind = kindName.pipe(z.enum(EXTRACTED_KINDS)).meta({
  type: 'string',
  enum: KIND_NAMES.filter(name => EXTRACTED_KINDS.some(kind => kind === findResourceKind(name)?.kind)),
})

export const extractBody = requireExactlyOne(
  z.strictObject({
    resource_id,
    source: z
      .strictObject({ type: extractedKind, id: line() })
      .optional()
      .meta({ description: 'Document or meeting, identified by its kind and by its id or slug' }),
    text: z.string().max(MAX_TEXT_CHARS).regex(/\S/u, 'must not be empty').optional(),
    model: line(200).optional().meta({ description: 'Default: the default model of the installation' }),
    assignees: z
      .array(z.string().max(210).refine(isPrincipalName, PRINCIPAL_RULE).meta({ pattern: PRINCIPAL.source }))
      .max(100)
      .default([])
      .meta({ description: 'People who may approve, such as user:ann. Default: everyone who may write to the brain.' }),
  }),
  ['source', 'text'],
)

export type ExtractionRequest = z.output<typeof extractBody>
