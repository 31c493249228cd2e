import type { JsonSchema } from '../shared/json/json.ts'
import { MAX_QUERY_CHARS } from '../shared/text/search-query.ts'
import type { ToolEffect, ToolSpec } from './tool-spec.ts'

type BuiltinTool = Pick<ToolSpec, 'description' | 'parameters' | 'effect' | 'is_short'>

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  minLength: 1,
  description,
  ...more,
})

const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

const tool = (effect: ToolEffect, description: string, parameters: JsonSchema): BuiltinTool => ({
  description,
  parameters,
  effect,
})

/** Defines a short tool without side effects. */
const shortTool = (description: string, parameters: JsonSchema): BuiltinTool => ({
  ...tool('read', description, parameters),
  is_short: true,
})

/** Kinds that the `search` tool finds: documents, but never agent instructions or workflow definitions. */
export const SEARCHED_KINDS = ['meetings', 'stakeholder_maps', 'assets', 'artifacts'] as const
/** Kinds that the `read_resource` tool can read. */
const READ_KINDS = [...SEARCHED_KINDS, 'skills'] as const

/** Built-in tools by name. */
export const BUILTIN_TOOLS = {
  search: shortTool(
    'Searches the workspace documents by words and meaning. Returns the best passages with their document ids.',
    object(
      {
        query: text('Search terms or a question', { maxLength: MAX_QUERY_CHARS }),
        mode: { enum: ['hybrid', 'keyword', 'semantic'], default: 'hybrid' },
        types: {
          type: 'array',
          items: { enum: [...SEARCHED_KINDS] },
          minItems: 1,
          maxItems: 20,
          description: 'Kinds of documents to search. Default: all',
        },
        path_prefix: text('A folder. Its subfolders are included', { maxLength: 1_000 }),
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      ['query'],
    ),
  ),
  read_resource: shortTool(
    'Reads one document or skill of the workspace: its fields and its text.',
    object(
      {
        type: { enum: [...READ_KINDS], description: 'The kind' },
        id: text('Its id or slug', { maxLength: 200 }),
        version: { type: 'integer', minimum: 1, description: 'Default: the latest' },
        offset: { type: 'integer', minimum: 0, default: 0, description: 'Characters of the text to skip' },
      },
      ['type', 'id'],
    ),
  ),
  read_file: tool(
    'read',
    'Reads the text of a file that belongs to the conversation or the run.',
    object(
      {
        file_id: text('The id of the file', { maxLength: 36 }),
        offset: { type: 'integer', minimum: 0, default: 0, description: 'Characters of the text to skip' },
      },
      ['file_id'],
    ),
  ),
  write_artifact: tool(
    'write',
    'Writes a document of the workspace. Without an id, creates a new document. With an id, appends to that document or replaces its text.',
    object(
      {
        content: { type: 'string', maxLength: 1_000_000, description: 'The text, as Markdown' },
        title: text('Title of a new document', { maxLength: 200 }),
        path: text('Folder of a new document, such as /reports', { maxLength: 1_000 }),
        id: text('Id or slug of the document to change', { maxLength: 200 }),
        mode: {
          enum: ['append', 'replace'],
          default: 'append',
          description: 'How to change the text of an existing document',
        },
      },
      ['content'],
    ),
  ),
  http_fetch: tool(
    'read',
    'Fetches a page or a JSON document from a public web address. HTML is returned as Markdown.',
    object({ url: text('An http or https URL', { maxLength: 2_000 }) }, ['url']),
  ),
  calculate: shortTool(
    'Evaluates a CEL expression, such as `(price * 3) + 4.5` or `items.filter(i, i.open).size()`.',
    object(
      {
        expression: text('The expression', { maxLength: 4_000 }),
        variables: { type: 'object', maxProperties: 50, description: 'Values by the names the expression uses' },
      },
      ['expression'],
    ),
  ),
  current_time: shortTool(
    'Returns the current date and time.',
    object({ time_zone: text('An IANA time zone name such as Europe/Berlin. Default: UTC', { maxLength: 100 }) }),
  ),
  ask_human: tool(
    'read',
    'Asks a person and waits for the answer. Use it only if a person has to know or decide.',
    object(
      {
        question: text('One question', { maxLength: 2_000 }),
        options: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 200 },
          minItems: 1,
          maxItems: 20,
          description: 'Answers to choose from',
        },
      },
      ['question'],
    ),
  ),
  remember: tool(
    'write',
    'Remembers a fact, a preference or a decision for later conversations.',
    object({ text: text('The text to remember, as a self-contained sentence', { maxLength: 4_000 }) }, ['text']),
  ),
  recall: shortTool(
    'Searches what was remembered in earlier conversations.',
    object(
      {
        query: text('Search terms', { maxLength: MAX_QUERY_CHARS }),
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      ['query'],
    ),
  ),
} as const satisfies Record<string, BuiltinTool>

export type BuiltinName = keyof typeof BUILTIN_TOOLS

export const isBuiltin = (name: string): name is BuiltinName => Object.hasOwn(BUILTIN_TOOLS, name)

/** Tools that only agent runs can execute. */
export const NEEDS_NEURON: ReadonlySet<string> = new Set<BuiltinName>(['ask_human', 'remember', 'recall'])
