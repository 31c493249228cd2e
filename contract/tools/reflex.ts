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
  url: 'URL of an OpenAPI document or of an MCP server',
  openapi:
    'An OpenAPI document (3.0 or 3.1), as an object or as text in JSON or YAML. Its operations become tools; the document is not stored.',
  server_url: 'Base URL to call instead of the servers in the document',
  is_short:
    'Calls of tools that change nothing (`read`) mostly take less than half a second. Runs make them without a task of their own.',
  target: 'The pathway or neuron that is the tool: slug or id, optionally with @version',
  tools: 'Tools that a built-in reflex offers, by name; the tools of other sources are listed by a job',
  secrets: 'Names of secrets, by header name',
}

const describedFields = Object.fromEntries(
  Object.entries(documentFields(reflexFields)).map(([name, field]) => [
    name,
    field.meta({ ...field.meta(), description: DESCRIPTIONS[name] }),
  ]),
)

/** The fields that a save may set. The rules of the kind check the fields of the document. */
const savedFields = { ...headFields, ...describedFields }

export const reflexBody = requireFields(z.strictObject(savedFields))

export const reflexPatch = requireChange(z.strictObject({ ...savedFields, expected_version: expected }))

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
  is_short: z.boolean().optional(),
  target: z.string().optional(),
  tools: z.array(tool),
  secrets: z.record(z.string(), z.string()).meta({ description: 'Names of secrets, by header name' }),
}

const warnings = problems.optional().meta({ description: 'Secrets that the workspace does not have, by JSON pointer' })

export const reflex = z.object(fields).meta({ id: 'Reflex' })

export const restoredReflex = z.object({ ...fields, warnings }).meta({ id: 'RestoredReflex' })

/** A reflex as the API shows it, with names of secrets only. */
export type ReflexView = z.output<typeof restoredReflex>

export const savedReflex = z
  .object({
    ...fields,
    job_id: z
      .string()
      .nullable()
      .meta({ description: 'The job that lists the tools of the source; null if there is none' }),
    warnings,
  })
  .meta({ id: 'SavedReflex' })

/** A saved reflex, with the job that lists the tools of its source. */
export type SavedReflex = z.output<typeof savedReflex>

export const reflexPage = pageSchema(reflex)
