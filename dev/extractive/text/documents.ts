import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { ToolResult } from '../conversation.ts'
import { bounded } from '../prompt.ts'

/** Text from a tool result, with the title of its source. */
export interface Document {
  title?: string
  text: string
}

const TEXTS = new Set(['text', 'content', 'snippet', 'excerpt', 'body', 'markdown', 'summary', 'description', 'page'])
const MAX_VALUES = 20_000
/** Minimum length of an argument that counts as repeated. A shorter one may occur in a result by chance. */
const MIN_ECHO_CHARS = 20

/**
 * Returns the texts in tool results. If there are none, returns the values in the results as labeled lines. Failed
 * calls, and values that repeat the arguments, are omitted.
 */
export function documentsIn(results: ToolResult[]): Document[] {
  const documents = results.filter(({ failed }) => !failed).map(result => withoutEcho(textsIn(result.output), result))
  const texts = documents.flat()
  return distinct(texts.length > 0 ? texts : results.filter(({ failed }) => !failed).flatMap(parseLines))
}

function textsIn(output: JsonValue): Document[] {
  if (typeof output === 'string') return output.trim() ? [{ text: output }] : []
  const documents: Document[] = []
  let valuesLeft = MAX_VALUES
  function visit(value: JsonValue, key: string, title: string | undefined): void {
    if (valuesLeft-- <= 0 || value === null) return
    if (typeof value === 'string') {
      if (TEXTS.has(key) && value.trim()) documents.push({ title, text: bounded(value) })
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, key, title)
    } else if (typeof value === 'object') {
      const ownTitle = typeof value.title === 'string' ? value.title : title
      for (const [name, item] of Object.entries(value)) visit(item, name, ownTitle)
    }
  }
  visit(output, '', undefined)
  return documents
}

function withoutEcho(documents: Document[], { args }: ToolResult): Document[] {
  const inputs = stringsIn(args).filter(text => text.length >= MIN_ECHO_CHARS)
  return documents.filter(({ text }) => !inputs.some(input => isEcho(text, input)))
}

/** Returns true if the text is part of an argument, or if an argument makes up at least half of the text. */
const isEcho = (text: string, input: string): boolean =>
  input.includes(text) || (input.length * 2 >= text.length && text.includes(input))

/** Converts values to lines such as `color: blue`, so that they can be searched for labels. */
function parseLines({ output, args }: ToolResult): Document[] {
  const inputs = new Set(stringsIn(args))
  const lines: string[] = []
  function visit(value: JsonValue, path: string): void {
    if (lines.length >= 500 || value === null) return
    if (typeof value === 'object') for (const [name, item] of Object.entries(value)) visit(item, name)
    else if (!inputs.has(String(value))) lines.push(path ? `${path}: ${String(value)}` : String(value))
  }
  visit(output, '')
  return lines.length > 0 ? [{ text: lines.join('\n') }] : []
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function distinct(documents: Document[]): Document[] {
  const texts = new Set<string>()
  return documents.filter(({ text }) => !texts.has(text) && texts.add(text))
}
