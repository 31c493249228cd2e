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
  description: 'Lists the pathways (workflows) that can be run. Use get_pathway to read the input schema of one.',
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
  description: 'Reads a pathway with its definition. `definition.input` is the JSON Schema of the run input.',
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
    'Simulates a run without side effects. Pass a stored pathway, a changed definition of it, or a new definition. Returns the nodes that would run and the problems of the definition. Nodes with effects use the given outputs; the simulation stops where one is missing.',
  route: 'pathways.dryRun',
  hints: READS,
  input: z.strictObject({
    pathway: line().optional().meta({ description: 'Id or slug of a stored pathway' }),
    definition: jsonValue.optional().meta({ description: 'Definition to simulate, instead of the stored one' }),
    input: jsonValue.optional(),
    outputs: z.record(z.string(), jsonValue).optional().meta({ description: 'Mock outputs, by node id or key' }),
  }),
  output: pathwayDryRun,
  async call({ pathways }, { principal }, { pathway, ...request }) {
    if (pathway !== undefined) return pathways.dryRun(principal, pathway, request)
    const { definition } = request
    if (definition === undefined) throw new ValidationError('Pass a pathway, a definition, or both')
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
      .meta({ type: 'object', description: 'Input that matches the input schema of the pathway' }),
  }),
  start: ({ jobs }, { principal, idempotency }, { pathway, input }) =>
    jobs.start(principal, { pathway_id: pathway, input }, idempotency),
})
