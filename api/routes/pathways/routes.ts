import type { JobsService } from '../../../services/runs/jobs.ts'
import type { PathwaysService } from '../../../services/pathways/pathways.ts'
import { allowReaders, allowWriters } from '../../routing/access.ts'
import { accepted, ok } from '../../routing/reply.ts'
import { defineRoute, type Route } from '../../routing/route.ts'
import { jobAccepted } from '../../../contract/runs/control.ts'
import { productRoutes } from '../resources/products.ts'
import { validateBody, pathwayValidation } from '../../../contract/pathways/validation.ts'
import { dryRunDefinitionBody, pathwayDryRun, dryRunBody } from '../../../contract/pathways/dry-run.ts'
import {
  executeBody,
  pathwayBody,
  pathwayPatchBody,
  pathwayView,
  pathwayPage,
} from '../../../contract/pathways/pathway.ts'
import { productParams as params } from '../../../contract/resources/product.ts'

interface Deps {
  pathways: PathwaysService
  jobs: JobsService
}

const tag = 'Pathways'

/** Pathways: graphs that are stored, versioned and run. */
export function pathwayRoutes({ pathways, jobs }: Deps): Route[] {
  const validate = defineRoute({
    name: 'pathways.validate',
    method: 'post',
    effect: 'read',
    path: '/v1/pathways/validate',
    summary: 'Check a definition without saving it',
    description: 'Finds what a save would refuse, and what it would warn of. What the definition refers to must exist.',
    tag,
    access: allowReaders('resources:read'),
    body: validateBody,
    responses: { 200: { description: 'The problems, none for a valid definition', schema: pathwayValidation } },
    handler: async ({ principal, body }) => ok(await pathways.validate(principal, body.definition)),
  })

  const dryRunDefinition = defineRoute({
    name: 'pathways.dryRunDefinition',
    method: 'post',
    effect: 'read',
    path: '/v1/pathways/dry-run',
    summary: 'Simulate a definition that is not stored',
    description: 'As the simulation of a stored pathway. What the definition refers to must exist.',
    tag,
    access: allowReaders('resources:read'),
    body: dryRunDefinitionBody,
    responses: { 200: { description: 'The nodes that would run', schema: pathwayDryRun } },
    handler: async ({ principal, body }) => ok(await pathways.dryRunDefinition(principal, body)),
  })

  const dryRun = defineRoute({
    name: 'pathways.dryRun',
    method: 'post',
    effect: 'read',
    path: '/v1/pathways/:id/dry-run',
    summary: 'Simulate a pathway without side effects',
    description:
      'Nodes with side effects use the given outputs. The simulation stops at a node whose output is missing.',
    tag,
    access: allowReaders('resources:read'),
    params,
    body: dryRunBody,
    responses: { 200: { description: 'The nodes that would run', schema: pathwayDryRun } },
    handler: async ({ principal, params, body }) => ok(await pathways.dryRun(principal, params.id, body)),
  })

  const execute = defineRoute({
    name: 'pathways.execute',
    method: 'post',
    path: '/v1/pathways/:id/execute',
    summary: 'Start a run of a pathway',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: executeBody,
    idempotent: true,
    responses: { 202: { description: 'The run is accepted', schema: jobAccepted } },
    async handler({ principal, params, body, idempotency }) {
      const input = body.input ?? body.data
      return accepted(await jobs.start(principal, { pathway_id: params.id, input }, idempotency))
    },
  })

  return [
    ...productRoutes({
      path: '/v1/pathways',
      tag,
      one: 'a pathway',
      many: 'pathways',
      says: {
        create: { description: 'The definition is validated as a whole; the response lists every problem.' },
        patch: { description: 'Creates a new version. Running jobs keep the version that they started with.' },
        remove: { description: 'Running jobs continue.' },
      },
      service: pathways,
      schemas: {
        create: pathwayBody,
        patch: pathwayPatchBody,
        view: pathwayView,
        page: pathwayPage,
      },
    }),
    validate,
    dryRunDefinition,
    dryRun,
    execute,
  ]
}
