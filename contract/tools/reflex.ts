import { z } from 'zod'
import { reflexFields } from '../../domain/resources/kinds/reflexes.ts'
import { TOOL_SOURCES } from '../../domain/tools/tool-spec.ts'
import { expected, headFields, shownHead } from '../resources/head.ts'
import { documentFields, requireFields } from '../resources/product.ts'
import { requireChange } from '../shared/body-rules.ts'
import { problems } from '../shared/error.ts'
import { pageSchema } from '../shared/page.ts'

const DESCRIPTIONS: Record<string, string> = {
  source: 'Source of the tools',
  url: 'URL of an OpenAPI document or MCP server',
  openapi:
    'OpenAPI document (3.0 or 3.1), as an object or as JSON or YAML text. Its operations become tools. The document itself is not stored.',
  server_url: 'Base URL to call. Replaces the servers in the document.',
  is_short:
    'Read-only tools (`read`) usually respond in less than half a second. Runs execute their calls without a separate task.',
  target: 'Pathway or neuron to use as a tool: slug or id, optionally with @version',
  tools: 'Tools from a built-in reflex, by name. For other sources, a job discovers the tools.',
  secrets: 'Names of secrets, by header name',
}

const describedFields = Object.fromEntries(
  Object.entries(documentFields(reflexFields)).map(([name, field]) => [
    name,
    field.meta({ ...field.meta(), description: DESCRIPTIONS[name] }),
  ]),
)

/** Fields that a save may set. The document fields are validated by the rules of the kind. */
const savedFields = { ...headFields, ...describedFields }

export const reflexBody = requireFields(z.strictObject(savedFields))

export const reflexPatch = requireChange(z.strictObject({ ...savedFields, expected_version: expected }))

const tool = z.looseObject({
  name: z.string(),
  description: z.string(),
  parameters: z.looseObject({}).meta({ description: 'JSON Schema for the arguments' }),
  effect: z.enum(['read', 'idempotent', 'write']).optional(),
})

const fields = {
  ...shownHead,
  type: z.literal('reflexes'),
  description: z.string().nullable(),
  source: z.enum(TOOL_SOURCES),
  url: z.string().optional(),
  server_url: z.string().optional(),
  is_short: z.boolean().optional(),
  target: z.string().optional(),
  tools: z.array(tool),
  secrets: z.record(z.string(), z.string()).meta({ description: 'Names of secrets, by header name' }),
}

const warnings = problems.optional().meta({ description: "Secrets that don't exist in the workspace, by JSON pointer" })

export const reflex = z.object(fields).meta({ id: 'Reflex' })

export const restoredReflex = z.object({ ...fields, warnings }).meta({ id: 'RestoredReflex' })

/** A reflex, as the API returns it. It contains the names of secrets, but not their values. */
export type ReflexView = z.output<typeof restoredReflex>

export const savedReflex = z
  .object({
    ...fields,
    job_id: z
      .string()
      .nullable()
      .meta({ description: "Job that discovers the source's tools. Null if there is none." }),
    warnings,
  })
  .meta({ id: 'SavedReflex' })

/** A saved reflex, and the job that discovers its source's tools. */
export type SavedReflex = z.output<typeof savedReflex>

export const reflexPage = pageSchema(reflex)
