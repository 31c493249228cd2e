import { z } from 'zod'
import type { JsonObject } from '../../../domain/json.ts'
import { TOOL_EFFECTS, TOOL_SOURCES, type ToolSpec } from '../../../domain/tools/tool-spec.ts'
import { jsonValue, line, pageOf } from '../../routing/schemas.ts'
import { pageQuery } from '../resources/schemas.ts'

export const listQuery = pageQuery

export const toolParams = z.object({ name: line(64).meta({ description: 'Name of the tool' }) })

export const callBody = z
  .strictObject({
    reflex: line().optional().meta({
      description: 'Slug or id of the reflex, with @version or without; needed where several have a tool of the name',
    }),
    arguments: (z.record(z.string(), jsonValue) as z.ZodRecord & z.ZodType<JsonObject>)
      .default({})
      .meta({ description: "Checked against the tool's parameters" }),
    brain_id: z.uuid().optional(),
  })
  .default({ arguments: {} })

export const tool = z
  .object({
    name: z.string(),
    description: z.string(),
    parameters: z.custom<JsonObject>().meta({ type: 'object', description: 'JSON Schema of the arguments' }),
    effect: z.enum(TOOL_EFFECTS).meta({
      description: 'What a call does to the world: nothing, what a second call does not add to, or what it may add to',
    }),
    source: z.enum(TOOL_SOURCES),
    reflex: z.object({ id: z.uuid(), slug: z.string(), version: z.int() }),
    target: z.string().optional().meta({ description: 'The pathway or neuron that is run' }),
  })
  .meta({ id: 'Tool' }) satisfies z.ZodType<ToolSpec>

export const toolPage = pageOf(tool)

export const called = z
  .object({ output: jsonValue, job_id: z.string() })
  .meta({ id: 'ToolOutput', description: 'What the tool gave' })
