import type { Conversation } from './conversation.ts'
import { mentions } from './fields/mentions.ts'

/** The tool to call, the other tools that are offered, and the conversation. */
export interface CallContext {
  tool: string
  offered: string[]
  talk: Conversation
}

/** Matches a quotation of at most 500 characters in `"…"`, `“…”`, `«…»` or `` `…` ``. */
const QUOTED = /["“«`]([^"“”«»`\n]{1,500})["”»`]/
/** Maximum distance from a tool name, or from "ask the person", to its quotation. */
const NEAR = 60
const MAX_REQUEST_CHARS = NEAR + 502
const ASK = /\bask(?:s|ed|ing)?\b/gi
const CLAUSE =
  /^[\s:]{0,3}(?:about |whether |if )?((?:what|which|who|whom|when|where|why|how|may|can|should|is|are|do|does)\b[^.!?;,\n]{1,300})/i

/** Returns the quotation that follows the tool name in the instructions or in the user's messages. */
export const quotedAfter = (calling: CallContext): string | undefined => first(afterNames(calling), quotedNear)

/**
 * Returns the question for a person: a question that the instructions quote or describe, otherwise the user's
 * question.
 */
export function questionTo(calling: CallContext, question: string): string {
  const after = afterNames(calling)
  return first(after, quotedNear) ?? first(afterAsk(calling), quotedNear) ?? first(after, described) ?? question
}

/** Returns the text that follows each mention of the tool and precedes the next mention of any tool. */
function afterNames({ tool, offered, talk }: CallContext): string[] {
  return [talk.instructions, talk.message].flatMap(text => {
    const all = mentions(text, offered)
    return all.flatMap(({ name, end }, place) =>
      name === tool ? text.slice(end, Math.min(end + MAX_REQUEST_CHARS, all[place + 1]?.start ?? Infinity)) : [],
    )
  })
}

const afterAsk = ({ talk }: CallContext): string[] =>
  [talk.instructions, talk.message].flatMap(text =>
    Array.from(text.matchAll(ASK), ({ index }) => text.slice(index, index + MAX_REQUEST_CHARS)),
  )

function first(texts: string[], read: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const value = read(text)
    if (value !== undefined) return value
  }
  return undefined
}

/** Returns a quotation from the same sentence. */
function quotedNear(text: string): string | undefined {
  const match = QUOTED.exec(text)
  if (!match || match.index > NEAR || /[.!?;\n]/.test(text.slice(0, match.index))) return undefined
  return match[1]?.trim() || undefined
}

/** Turns a description into a question: "ask the human which team they are in" becomes "Which team they are in?". */
function described(text: string): string | undefined {
  const clause = CLAUSE.exec(text)?.[1]?.trim()
  return clause && `${clause.charAt(0).toUpperCase()}${clause.slice(1)}?`
}
