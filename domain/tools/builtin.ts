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

/** A tool that changes nothing and is short. */
const shortTool = (description: string, parameters: JsonSchema): BuiltinTool => ({
  ...tool('read', description, parameters),
  is_short: true,
})

/** Kinds that the tool `search` finds: documents, never the instructions of neurons or the definitions of pathways. */
export const SEARCHED_KINDS = ['meetings', 'stakeholder_maps', 'assets', 'artifacts'] as const
/** Kinds that the tool `read_resource` reads. */
const READ_KINDS = [...SEARCHED_KINDS, 'skills'] as const

/** Built-in tools by name. */
export const BUILTIN_TOOLS = {
  search: shortTool(
    'Searches the documents of the workspace, by words and by meaning. Gives the best passages with the ids of the documents.',
    object(
      {
        query: text('What to look for, in words or as a question', { maxLength: MAX_QUERY_CHARS }),
        mode: { enum: ['hybrid', 'keyword', 'semantic'], default: 'hybrid' },
        types: {
          type: 'array',
          items: { enum: [...SEARCHED_KINDS] },
          minItems: 1,
          maxItems: 20,
          description: 'Kinds of documents to search; all of them if absent',
        },
        path_prefix: text('A folder: what is in it and below', { maxLength: 1_000 }),
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
        version: { type: 'integer', minimum: 1, description: 'Left out, the latest' },
        offset: { type: 'integer', minimum: 0, default: 0, description: 'Characters of the text to skip' },
      },
      ['type', 'id'],
    ),
  ),
  write_artifact: tool(
    'write',
    'Writes a document of the workspace. Without an id it makes a new one; with an id it adds to that one or replaces its text.',
    object(
      {
        content: { type: 'string', maxLength: 1_000_000, description: 'The text, as Markdown' },
        title: text('Title of a new one', { maxLength: 200 }),
        path: text('Folder of a new one, such as /reports', { maxLength: 1_000 }),
        id: text('Id or slug of the one to change', { maxLength: 200 }),
        mode: {
          enum: ['append', 'replace'],
          default: 'append',
          description: 'What happens to the text of the one with the id',
        },
      },
      ['content'],
    ),
  ),
  http_fetch: tool(
    'read',
    'Gets a page or a JSON document from a public web address. HTML comes as Markdown.',
    object({ url: text('An http or https address', { maxLength: 2_000 }) }, ['url']),
  ),
  calculate: shortTool(
    'Evaluates an expression in CEL, such as `(price * 3) + 4.5` or `items.filter(i, i.open).size()`.',
    object(
      {
        expression: text('The expression', { maxLength: 4_000 }),
        variables: { type: 'object', maxProperties: 50, description: 'Values by the names the expression uses' },
      },
      ['expression'],
    ),
  ),
  current_time: shortTool(
    'Tells the date and time.',
    object({ time_zone: text('An IANA name such as Europe/Berlin; left out, UTC', { maxLength: 100 }) }),
  ),
  ask_human: tool(
    'read',
    'Asks a person, and waits for the answer. Use it when only a person can know or decide.',
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
    'Keeps something for later conversations: a fact, a wish, a decision.',
    object({ text: text('What to remember, as a sentence that stands for itself', { maxLength: 4_000 }) }, ['text']),
  ),
  recall: shortTool(
    'Looks for what was remembered in earlier conversations.',
    object(
      {
        query: text('What to look for', { maxLength: MAX_QUERY_CHARS }),
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      ['query'],
    ),
  ),
} as const satisfies Record<string, BuiltinTool>

export type BuiltinName = keyof typeof BUILTIN_TOOLS

export const isBuiltin = (name: string): name is BuiltinName => Object.hasOwn(BUILTIN_TOOLS, name)

/** Tools that only a run of a neuron can execute. */
export const NEEDS_NEURON: ReadonlySet<string> = new Set<BuiltinName>(['ask_human', 'remember', 'recall'])
