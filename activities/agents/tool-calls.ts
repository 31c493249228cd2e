import { InvalidToolInputError, NoSuchToolError } from 'ai'
import { isJsonObject, type JsonObject } from '../../domain/shared/json/json.ts'
import { parseExternalJson } from '../../domain/shared/json/parsing/parse-external-json.ts'
import { toStorableText, toStorableValue } from '../../domain/shared/json/storable.ts'
import { StepError } from '../../domain/runs/step-error.ts'

/** A tool as it is described to a model. */
export interface OfferedTool {
  description: string
  /** JSON Schema for the arguments, which must be an object. */
  inputSchema: JsonObject
}

/** A call that a model requested. The arguments are not yet validated. */
export interface ToolCall {
  /** The provider's id, unique within an answer. */
  id: string
  name: string
  /** Absent if `invalid` is set. */
  args?: JsonObject
  /** The arguments exactly as the model wrote them. */
  raw: string
  /** Explains to the model why the call cannot be executed. */
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

/** Collects the calls in an answer. Throws StepError if there are too many calls or a call is too long. */
export class ToolCalls {
  readonly #raw = new Map<string, string>()
  readonly #calls: ToolCall[] = []

  start(id: string, name: string): void {
    if (name.length > MAX_NAME_CHARS)
      throw outputTooLargeError(`names a tool with a name longer than ${MAX_NAME_CHARS} characters`)
    this.#raw.set(id, '')
    if (this.#raw.size > MAX_CALLS) throw outputTooLargeError(`makes more than ${MAX_CALLS} tool calls`)
  }

  append(id: string, piece: string): void {
    const raw = (this.#raw.get(id) ?? '') + piece
    if (raw.length > MAX_ARGUMENTS_CHARS)
      throw outputTooLargeError(`makes a tool call with arguments longer than ${MAX_ARGUMENTS_CHARS} characters`)
    this.#raw.set(id, raw)
  }

  /** If a provider does not stream arguments, they arrive only here. */
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

  /** If `cut` is true, the answer ended at its limit. Its last call is then invalid even if the call looks complete. */
  all({ cut }: { cut: boolean }): ToolCall[] {
    const last = this.#calls.at(-1)
    if (!cut || !last) return this.#calls
    const { id, name, raw } = last
    return [...this.#calls.slice(0, -1), { id, name, raw, invalid: 'the answer was cut off within this call' }]
  }
}

/** Parses the raw arguments, because the SDK changes numbers with many digits and repairs invalid JSON. */
function readArguments(raw: string, parsed: JsonObject): JsonObject {
  try {
    const args = parseExternalJson(raw)
    if (isJsonObject(args)) return args
  } catch {
    // The raw text is not valid JSON.
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
