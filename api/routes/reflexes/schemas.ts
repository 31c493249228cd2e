import { z } from 'zod'
import { TOOL_SOURCES } from '../../../domain/tools/tool-spec.ts'
import { jsonValue, pageSchema } from '../../routing/schemas.ts'
import { expected, headFields, shownHead } from '../resources/schemas.ts'

/** The fields that a save may set. The rules of the kind check the fields of the document. */
const savedFields = {
  ...headFields,
  description: z.string().max(10_000).nullish(),
  source: jsonValue.optional().meta({ enum: [...TOOL_SOURCES], description: 'Source of the tools' }),
  url: jsonValue.optional().meta({ type: 'string', description: 'URL of an OpenAPI document or of an MCP server' }),
  openapi: jsonValue.optional().meta({
    description:
      'An OpenAPI document (3.0 or 3.1), as an object or as text in JSON or YAML. Its operations become tools; the document is not stored.',
  }),
  server_url: jsonValue
    .optional()
    .meta({ type: 'string', description: 'Base URL to call instead of the servers in the document' }),
  target: jsonValue.optional().meta({
    type: 'string',
    description: 'The pathway or neuron that is the tool: slug or id, optionally with @version',
  }),
  tools: jsonValue.optional().meta({ type: 'array', description: 'Names of the tools that a built-in reflex offers' }),
  secrets: jsonValue.optional().meta({ type: 'object', description: 'Names of configured secrets, by header name' }),
}

export const createBody = z.strictObject(savedFields)

export const patchBody = z
  .strictObject({ ...savedFields, expected_version: expected })
  .refine(body => Object.keys(body).some(key => key !== 'expected_version'), 'must change something')

const tool = z.looseObject({
  name: z.string(),
  description: z.string(),
  parameters: z.looseObject({}).meta({ description: 'JSON Schema of the arguments' }),
  effect: z.enum(['read', 'idempotent', 'write']).optional(),
})

const fields = {
  ...shownHead,
  type: z.literal('reflexes'),
  description: z.string().nullable(),
  source: z.enum(TOOL_SOURCES),
  url: z.string().optional(),
  server_url: z.string().optional(),
  target: z.string().optional(),
  tools: z.array(tool),
  secrets: z.record(z.string(), z.string()).meta({ description: 'Names of secrets, by header name' }),
}

export const reflex = z.object(fields).meta({ id: 'Reflex' })

export const savedReflex = z
  .object({
    ...fields,
    job_id: z
      .string()
      .nullable()
      .meta({ description: 'The job that lists the tools of the source; null if there is none' }),
  })
  .meta({ id: 'SavedReflex' })

export const reflexPage = pageSchema(reflex)
