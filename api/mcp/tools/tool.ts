import { z } from 'zod'
import { ValidationError } from '../../../domain/shared/errors.ts'
import { formatProblems, isJsonObject, type JsonSchema } from '../../../domain/shared/json/json.ts'
import type { ServiceTool } from '../../../domain/tools/mcp-toolkits.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { PARSE_OPTIONS, zodProblems } from '../../../domain/shared/zod-problems.ts'
import type { Idempotency } from '../../../services/shared/idempotency.ts'
import type { Route } from '../../routing/route.ts'
import type { McpDeps } from '../mcp-deps.ts'
import { runOutcome } from '../runs/run-outcome.ts'
import { makePatternsPortable } from '../../openapi/patterns.ts'

/** What a host may assume of a tool. All four are set: absent ones would mean the worst. */
interface ToolHints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** Changes nothing. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
/** Adds something to the workspace. */
export const ADDS: ToolHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
/** Replaces or ends something in the workspace. */
export const REPLACES: ToolHints = { ...ADDS, destructiveHint: true }
/** Starts a run, which may do what its pathway or its tools do, outside too. */
export const RUNS: ToolHints = { ...REPLACES, openWorldHint: true }

/** A checked call of a tool. */
export interface ToolCall {
  principal: Principal
  /** Absent where the caller gives no key. */
  idempotency?: Idempotency
  /** Aborts when the client leaves or the process stops. What the call has started goes on. */
  signal: AbortSignal
}

/** A run that a call has started. */
export interface StartedRun {
  job_id: string
}

/** A tool of the MCP server: what it says of itself, and one call of a service. */
export interface Tool {
  name: string
  title: string
  description: string
  /** The route that does the same. Its permission and its effect are those of the tool. */
  route: Route['name']
  hints: ToolHints
  input: JsonSchema
  output: JsonSchema
  /** Throws ValidationError with every problem of the arguments. */
  parse(args: unknown): { args: unknown; idempotency_key?: string }
  /** What the tool does. `start` begins a run, and `wait` finds one; its outcome is the result. */
  action: ToolAction
}

type ToolAction =
  | { type: 'call'; call: (deps: McpDeps, call: ToolCall, args: unknown) => Promise<object> }
  | { type: 'start' | 'wait'; start: (deps: McpDeps, call: ToolCall, args: unknown) => Promise<StartedRun> }

interface Declaration<I extends z.ZodObject> {
  name: ServiceTool
  title: string
  description: string
  route: Route['name']
  hints: ToolHints
  input: I
}

const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e][\x20-\x7e]{0,254}$/, 'must have 1 to 255 printable characters')
  .optional()
  .meta({ description: 'Repeat a call with the same key when its result was lost: it then takes effect once' })

/** Declares a tool. Fields that `output` does not declare are dropped from the result. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  declaration: Declaration<I> & {
    output: O
    /** Takes an `idempotency_key`. */
    isIdempotent?: boolean
    call: (deps: McpDeps, call: ToolCall, args: z.output<I>) => Promise<z.input<O>>
  },
): Tool {
  const { output, call, isIdempotent = false, ...about } = declaration
  return {
    ...buildTool(about, isIdempotent),
    // Without the name that the API gives a schema: schemas of tools have no references.
    output: toJsonSchema(z.object(output.shape), 'output'),
    action: {
      type: 'call',
      call: async (deps, about, args) => project(output, await call(deps, about, args as z.output<I>)) as object,
    },
  }
}

/** Declares a tool that starts a run. Its result is the outcome of the run, or how far it is. */
export function defineRunTool<I extends z.ZodObject>(
  declaration: Omit<Declaration<I>, 'hints'> & {
    start: (deps: McpDeps, call: ToolCall, args: z.output<I>) => Promise<StartedRun>
  },
): Tool {
  const { start, description, ...about } = declaration
  return {
    ...buildTool({ ...about, description: `${description} ${ABOUT_RUNS}`, hints: RUNS }, true),
    output: RUN_OUTCOME,
    action: { type: 'start', start: start as (deps: McpDeps, call: ToolCall, args: unknown) => Promise<StartedRun> },
  }
}

/** Declares a tool that waits for a run. */
export function defineWaitTool<I extends z.ZodObject>(
  declaration: Declaration<I> & {
    start: (deps: McpDeps, call: ToolCall, args: z.output<I>) => Promise<StartedRun>
  },
): Tool {
  const { start, ...about } = declaration
  return {
    ...buildTool(about, false),
    output: RUN_OUTCOME,
    action: { type: 'wait', start: start as (deps: McpDeps, call: ToolCall, args: unknown) => Promise<StartedRun> },
  }
}

/** What every tool that starts a run says. */
export const ABOUT_RUNS =
  'Returns the result if the run ends within 20 seconds, else its `job_id` for wait_for_run. A run that is left goes on; only cancel_run ends it.'
export const RUN_OUTCOME = toJsonSchema(runOutcome, 'output')

function buildTool<I extends z.ZodObject>(
  { input, ...about }: Declaration<I>,
  isIdempotent: boolean,
): Omit<Tool, 'output' | 'action'> {
  const schema = isIdempotent ? input.safeExtend({ idempotency_key: IDEMPOTENCY_KEY }) : input
  return {
    ...about,
    input: toJsonSchema(schema, 'input'),
    parse(rawArgs) {
      const parsed = schema.safeParse(rawArgs, PARSE_OPTIONS)
      if (!parsed.success) throw invalidArgumentsError(zodProblems(parsed.error, 'argument'))
      const { idempotency_key, ...args } = parsed.data as { idempotency_key?: string }
      return { args, idempotency_key }
    },
  }
}

/** Checks arguments whose schema is checked by the service that takes them. */
export function parseObject(rawArgs: unknown): { args: unknown } {
  if (!isJsonObject(rawArgs)) throw invalidArgumentsError([{ pointer: '', message: 'must be an object' }])
  return { args: rawArgs }
}

const invalidArgumentsError = (problems: ConstructorParameters<typeof ValidationError>[1] & object) =>
  new ValidationError(`Invalid arguments: ${formatProblems(problems)}`, problems)

/**
 * Returns the JSON Schema of a tool's input or output, without references: clients with a strict
 * subset of JSON Schema refuse these.
 */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify })
  makePatternsPortable(json)
  return json as JsonSchema
}

/** Removes the bounds of safe integers, and the ids of named schemas. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.id
}

/** Keeps of a value what its schema declares, in the order of the schema. Unions and objects that are open are kept whole. */
function project(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return project(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map(item => project(schema.element, item))
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return value
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(([name]) => fields[name] !== undefined)
      .map(([name, field]) => [name, project(field, fields[name])]),
  )
}
