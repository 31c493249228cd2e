import { z } from 'zod'
import { evidence } from '../../../routes/evidence/schemas.ts'
import { line } from '../../../routing/schemas.ts'
import { defineTool, READS } from '../../tool.ts'

export const getEvidence = defineTool({
  name: 'get_evidence',
  title: 'Read what proves a decision',
  description:
    'Reads the signed document about a question: exactly what was shown, with its hash, who answered when and in which role, and the entries of the audit log.',
  route: 'interventions.evidence',
  hints: READS,
  input: z.strictObject({ question_id: line() }),
  output: z.object({ ...evidence.shape, document: z.record(z.string(), z.unknown()) }),
  call: ({ evidence: service }, { principal }, { question_id }) => service.read(principal, question_id),
})
