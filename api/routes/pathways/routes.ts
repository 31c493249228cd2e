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

/** Routes for pathways: graphs that can be stored, versioned and run. */
export function pathwayRoutes({ pathways, jobs }: Deps): Route[] {
  const validate = defineRoute({
    name: 'pathways.validate',
    method: 'post',
    effect: 'read',
    path: '/v1/pathways/validate',
    summary: 'Validate a definition',
    description:
      'Returns the problems that would block a save, and the warnings. Referenced resources must exist. Nothing is saved.',
    tag,
    access: allowReaders('resources:read'),
    body: validateBody,
    responses: {
      200: { description: 'The problems. Empty if the definition is valid.', schema: pathwayValidation },
    },
    handler: async ({ principal, body }) => ok(await pathways.validate(principal, body.definition)),
  })

  const dryRunDefinition = defineRoute({
    name: 'pathways.dryRunDefinition',
    method: 'post',
    effect: 'read',
    path: '/v1/pathways/dry-run',
    summary: 'Simulate an unsaved definition',
    description: 'Works like the simulation of a stored pathway. Referenced resources must exist.',
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
    summary: 'Simulate a pathway',
    description:
      'Has no side effects. Nodes with side effects use the outputs that you pass. The simulation stops at such a node if you pass no output for it.',
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
    summary: 'Run a pathway',
    tag,
    access: allowWriters('jobs:start'),
    params,
    body: executeBody,
    idempotent: true,
    responses: { 202: { description: 'The run was accepted', schema: jobAccepted } },
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
        create: { description: 'The whole definition is validated. The response lists every problem.' },
        patch: { description: 'Creates a new version. Running jobs keep the version they started with.' },
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
