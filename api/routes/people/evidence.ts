import type { EvidenceService } from '../../../services/people/evidence/evidence.ts'
import { allowReaders } from '../../routing/access.ts'
import { ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { interventionParams } from '../../../contract/people/intervention.ts'
import * as schemas from '../../../contract/people/evidence.ts'

const tag = 'Interventions'

/** Routes for decision evidence and the keys that verify it. */
export function evidenceRoutes({ evidence }: { evidence: EvidenceService }): Route[] {
  const read = defineRoute({
    name: 'interventions.evidence',
    method: 'get',
    path: '/v1/interventions/:id/evidence',
    summary: 'Read the evidence of a decision',
    description:
      'Returns a signed document. Also works after the run was purged or has expired. In that case, the texts are missing, `purged_at` is set, and the caller needs `activity:read`.',
    tag,
    access: allowReaders('interventions:read'),
    params: interventionParams,
    responses: { 200: { description: 'The document and its signature', schema: schemas.evidence } },
    handler: async ({ principal, params }) => ok(await evidence.read(principal, params.id)),
  })

  const keys = defineRoute({
    name: 'interventions.evidenceKeys',
    method: 'get',
    path: '/v1/evidence-keys',
    summary: 'List evidence verification keys',
    tag,
    access: allowReaders('interventions:read'),
    responses: { 200: { description: 'The public keys', schema: schemas.evidenceKeys } },
    handler: async () => ok({ data: await evidence.listKeys() }),
  })

  return [read, keys]
}
