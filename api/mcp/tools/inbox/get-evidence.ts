import { z } from 'zod'
import { evidence } from '../../../routes/evidence/schemas.ts'
import { line } from '../../../routing/schemas.ts'
import { defineTool, READS } from '../../tool.ts'

export const getEvidence = defineTool({
  name: 'get_evidence',
  title: 'Read what proves a decision',
  description:
    'Reads the signed document about a question: what was shown, the signed votes with their roles, and the audit log entries. Works after the run was removed, without its texts.',
  route: 'interventions.evidence',
  hints: READS,
  input: z.strictObject({ question_id: line() }),
  output: z.object({
    ...evidence.shape,
    document: z.record(z.string(), z.unknown()),
    shown: z.record(z.string(), z.unknown()).nullable(),
  }),
  call: ({ evidence: service }, { principal }, { question_id }) => service.read(principal, question_id),
})
