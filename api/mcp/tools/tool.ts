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

/** Hints about a tool's behavior. All four must be set, because hosts assume the worst for missing hints. */
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
/** Starts a run, which may have effects outside the workspace. */
export const RUNS: ToolHints = { ...REPLACES, openWorldHint: true }

/** A validated tool call. */
export interface ToolCall {
  principal: Principal
  /** Absent if the caller sends no idempotency key. */
  idempotency?: Idempotency
  /** Aborts when the client disconnects or the process stops. Started runs continue. */
  signal: AbortSignal
}

/** A run started by a tool call. */
export interface StartedRun {
  job_id: string
}

/** A tool of the MCP server: its description and the service call that it makes. */
export interface Tool {
  name: string
  title: string
  description: string
  /** The equivalent route. The tool has the same permission and effect as this route. */
  route: Route['name']
  hints: ToolHints
  input: JsonSchema
  output: JsonSchema
  /** Throws ValidationError with every problem in the arguments. */
  parse(args: unknown): { args: unknown; idempotency_key?: string }
  /**
   * Effect of the tool on runs. `start` starts a run, and `wait` finds an existing run. In both cases the result is the
   * outcome of the run.
   */
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
  .meta({
    description: 'Idempotency key. If a result was lost, repeat the call with the same key; it takes effect only once.',
  })

/** Declares a tool. Fields that `output` doesn't declare are removed from the result. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  declaration: Declaration<I> & {
    output: O
    /** Accepts an `idempotency_key`. */
    isIdempotent?: boolean
    call: (deps: McpDeps, call: ToolCall, args: z.output<I>) => Promise<z.input<O>>
  },
): Tool {
  const { output, call, isIdempotent = false, ...about } = declaration
  return {
    ...buildTool(about, isIdempotent),
    // Omits the schema name of the API, because tool schemas have no references.
    output: toJsonSchema(z.object(output.shape), 'output'),
    action: {
      type: 'call',
      call: async (deps, about, args) => project(output, await call(deps, about, args as z.output<I>)) as object,
    },
  }
}

/** Declares a tool that starts a run. The result is the run's outcome or progress. */
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

/** Description shared by all tools that start runs. */
export const ABOUT_RUNS =
  'Returns the result if the run ends within 20 seconds, otherwise its `job_id` for wait_for_run. Disconnecting does not stop the run; only cancel_run does.'
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

/** Checks only that the arguments are an object. The service validates the fields. */
export function parseObject(rawArgs: unknown): { args: unknown } {
  if (!isJsonObject(rawArgs)) throw invalidArgumentsError([{ pointer: '', message: 'must be an object' }])
  return { args: rawArgs }
}

const invalidArgumentsError = (problems: ConstructorParameters<typeof ValidationError>[1] & object) =>
  new ValidationError(`Invalid arguments: ${formatProblems(problems)}`, problems)

/** Returns the JSON Schema of a tool's input or output without references, because some clients reject them. */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify })
  makePatternsPortable(json)
  return json as JsonSchema
}

/** Removes safe-integer bounds and the ids of named schemas. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.id
}

/** Keeps only declared fields, in the order of the schema. Unions and open objects are kept unchanged. */
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
