/** A JSON value as it crosses the wire, Temporal history and jsonb columns. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/** A JSON Schema (draft 2020-12) written by a user. */
export type JsonSchema = JsonObject

/** One problem in something a user sent: where (JSON pointer into the body) and what. */
export interface Problem {
  pointer: string
  message: string
}
