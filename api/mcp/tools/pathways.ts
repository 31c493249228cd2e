import { z } from 'zod'
import { READS, defineRunTool, defineTool } from './tool.ts'
import { page, total } from './page.ts'
import type { PathwayView } from '../../../contract/pathways/pathway.ts'
import { jsonValue } from '../../../contract/shared/json.ts'
import { line } from '../../../contract/shared/text.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import { pathwayDryRun } from '../../../contract/pathways/dry-run.ts'
import { isJsonObject } from '../../../domain/shared/json/json.ts'

export const listPathways = defineTool({
  name: 'list_pathways',
  title: 'List pathways',
  description: 'Lists the pathways that can be run. get_pathway has the input of one.',
  route: 'pathways.list',
  hints: READS,
  input: z.strictObject(page),
  output: z.object({
    pathways: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        path: z.string(),
        version: z.int(),
      }),
    ),
    total,
  }),
  async call({ pathways }, { principal }, page) {
    const { data, total } = await pathways.list(principal, { ...page, is_active: true })
    return { pathways: data, total }
  },
})

export const getPathway = defineTool({
  name: 'get_pathway',
  title: 'Read a pathway',
  description: 'Reads a pathway with its definition; `definition.input` is the JSON Schema of the input of a run.',
  route: 'pathways.get',
  hints: READS,
  input: z.strictObject({ pathway: line().meta({ description: 'Id or slug' }) }),
  output: z.object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    version: z.int(),
    is_active: z.boolean(),
    definition: z.custom<PathwayView['definition']>().meta({ type: 'object' }),
  }),
  call: ({ pathways }, { principal }, { pathway }) => pathways.read(principal, pathway),
})

export const validatePathway = defineTool({
  name: 'validate_pathway',
  title: 'Simulate a pathway',
  description:
    'Simulates a run without any effect, of a stored pathway, of a changed definition of it, or of a definition that is not stored, and lists the problems of the definition. Nodes with effects take the given outputs; the simulation stops where one is missing.',
  route: 'pathways.dryRun',
  hints: READS,
  input: z.strictObject({
    pathway: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
    definition: jsonValue.optional().meta({ description: 'Instead of the stored definition, or without one' }),
    input: jsonValue.optional(),
    outputs: z.record(z.string(), jsonValue).optional().meta({ description: 'Outputs of nodes, by node id or key' }),
  }),
  output: pathwayDryRun,
  async call({ pathways }, { principal }, { pathway, ...request }) {
    if (pathway !== undefined) return pathways.dryRun(principal, pathway, request)
    const { definition } = request
    if (definition === undefined) throw new ValidationError('Give a pathway, a definition or both')
    return pathways.dryRunDefinition(principal, { ...request, definition })
  },
})

export const runPathway = defineRunTool({
  name: 'run_pathway',
  title: 'Run a pathway',
  description: 'Starts a run of a pathway.',
  route: 'pathways.execute',
  input: z.strictObject({
    pathway: line().meta({ description: 'Id or slug' }),
    input: jsonValue
      .refine(value => value === undefined || isJsonObject(value), 'must be a JSON object, not text that contains one')
      .optional()
      .meta({ type: 'object', description: 'Object that fits the input schema of the pathway' }),
  }),
  start: ({ jobs }, { principal, idempotency }, { pathway, input }) =>
    jobs.start(principal, { pathway_id: pathway, input }, idempotency),
})
