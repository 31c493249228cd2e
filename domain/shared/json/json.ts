/** A JSON value, as in requests, Temporal's history and JSON columns. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A user-supplied JSON Schema (draft 2020-12). */
export type JsonSchema = JsonObject

/** A problem in a request. `pointer` is a JSON pointer into the body. */
export interface Problem {
  pointer: string
  message: string
}

export const formatProblems = (problems: Problem[]): string =>
  problems.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ')
