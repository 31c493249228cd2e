import { InvalidToolInputError, NoSuchToolError } from 'ai'
import { isJsonObject, type JsonObject } from '../../domain/shared/json/json.ts'
import { parseExternalJson } from '../../domain/shared/json/parsing/parse-external-json.ts'
import { toStorableText, toStorableValue } from '../../domain/shared/json/storable.ts'
import { StepError } from '../../domain/runs/step-error.ts'

/** A tool as it is described to a model. */
export interface OfferedTool {
  description: string
  /** JSON Schema of the arguments, an object. */
  inputSchema: JsonObject
}

/** A call that a model requests. Its arguments are not validated yet. */
export interface ToolCall {
  /** The provider's id, unique within an answer. */
  id: string
  name: string
  /** Absent when `invalid` is set. */
  args?: JsonObject
  /** The arguments as the model wrote them. */
  raw: string
  /** Why the call cannot be executed, written for the model. */
  invalid?: string
}

const MAX_CALLS = 64
const MAX_ARGUMENTS_CHARS = 262_144
const MAX_NAME_CHARS = 200

/** A call as the SDK parsed it, or `invalid` with the reason. */
interface ParsedCall {
  toolCallId: string
  toolName: string
  input: unknown
  invalid?: boolean
  error?: unknown
}

/** Collects the calls of one answer. Throws StepError for too many or too long ones. */
export class ToolCalls {
  readonly #raw = new Map<string, string>()
  readonly #calls: ToolCall[] = []

  start(id: string, name: string): void {
    if (name.length > MAX_NAME_CHARS)
      throw outputTooLargeError(`names a tool with more than ${MAX_NAME_CHARS} characters`)
    this.#raw.set(id, '')
    if (this.#raw.size > MAX_CALLS) throw outputTooLargeError(`asks for more than ${MAX_CALLS} calls of tools`)
  }

  append(id: string, piece: string): void {
    const raw = (this.#raw.get(id) ?? '') + piece
    if (raw.length > MAX_ARGUMENTS_CHARS)
      throw outputTooLargeError(`calls a tool with arguments of more than ${MAX_ARGUMENTS_CHARS} characters`)
    this.#raw.set(id, raw)
  }

  /** Some providers do not stream arguments; they arrive here first. */
  finish(call: ParsedCall): void {
    const { toolCallId: id, toolName: name, input } = call
    if (!this.#raw.has(id)) this.start(id, name)
    if (!this.#raw.get(id)) this.append(id, typeof input === 'string' ? input : JSON.stringify(input))
    const invalid = findProblem(call)
    const raw = toStorableText(this.#raw.get(id) ?? '')
    this.#calls.push(
      invalid ? { id, name, raw, invalid } : { id, name, raw, args: readArguments(raw, input as JsonObject) },
    )
  }

  /** With `cut`, the answer ended at its limit, so its last call is invalid even when it looks complete. */
  all({ cut }: { cut: boolean }): ToolCall[] {
    const last = this.#calls.at(-1)
    if (!cut || !last) return this.#calls
    const { id, name, raw } = last
    return [...this.#calls.slice(0, -1), { id, name, raw, invalid: 'the answer was cut off within this call' }]
  }
}

/** The SDK changes numbers of many digits. It also mends arguments that are not JSON as they were sent. */
function readArguments(raw: string, parsed: JsonObject): JsonObject {
  try {
    const args = parseExternalJson(raw)
    if (isJsonObject(args)) return args
  } catch {
    // Not JSON as it was sent.
  }
  return toStorableValue(parsed) as JsonObject
}

function findProblem({ input, invalid, error }: ParsedCall): string | undefined {
  if (NoSuchToolError.isInstance(error)) return 'the tool does not exist'
  if (InvalidToolInputError.isInstance(error)) return 'the arguments are not JSON'
  if (invalid) return 'the call could not be parsed'
  return isJsonObject(input) ? undefined : 'the arguments are not a JSON object'
}

const outputTooLargeError = (problem: string): StepError =>
  new StepError('MODEL_OUTPUT_TOO_LARGE', `The model's answer ${problem}`)
