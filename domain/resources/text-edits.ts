import { findFirst } from '../pathways/expressions/text-search.ts'

/** Replaces a text that occurs exactly once. */
export interface TextEdit {
  find: string
  replace: string
}

/** The edited text, or the edit that cannot be applied. */
export type EditedText = { text: string } | { edit: number; message: string }

/** Applies edits in order. Each `find` must occur exactly once. Takes linear time per edit. */
export function applyEdits(text: string, edits: TextEdit[]): EditedText {
  let edited = text
  for (const [edit, { find, replace }] of edits.entries()) {
    const at = findFirst(edited, find)
    if (at === -1) return { edit, message: 'does not occur in the content' }
    if (findFirst(edited, find, at + 1) !== -1) return { edit, message: 'occurs more than once in the content' }
    edited = edited.slice(0, at) + replace + edited.slice(at + find.length)
  }
  return { text: edited }
}
