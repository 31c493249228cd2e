import { storableJson } from '../../data/json-text.ts'
import { isUuid } from '../../data/uuid.ts'
import type { Problem } from '../../domain/json.ts'
import { slugProblem } from '../../domain/slug.ts'
import type { PathwayFields } from './types.ts'

const LONGEST = { title: 200, description: 10_000, note: 1_000, path: 1_000 }
const UNSTORABLE = 'holds a character that cannot be stored (U+0000 or half a surrogate pair)'
const CONTROL = /\p{Cc}/u

/** What is wrong with the fields of a save, the definition's own rules aside. */
export function fieldProblems(fields: PathwayFields): Problem[] {
  const { title, description, slug, path, note, brain_id } = fields
  const problems: Problem[] = []
  const refuse = (field: keyof PathwayFields, message: string | undefined) => {
    if (message !== undefined) problems.push({ pointer: `/${field}`, message })
  }
  if (title !== undefined) refuse('title', textProblem(title, LONGEST.title) ?? lineProblem(title))
  if (description) refuse('description', textProblem(description, LONGEST.description))
  if (note !== undefined) refuse('note', textProblem(note, LONGEST.note))
  if (slug !== undefined) refuse('slug', slugProblem(slug))
  if (path !== undefined) refuse('path', textProblem(path, LONGEST.path) ?? pathProblem(path))
  if (brain_id && !isUuid(brain_id)) refuse('brain_id', 'is not a UUID')
  return problems
}

/** True when Postgres holds every text in it. */
export function definitionTextProblems(definition: unknown): Problem[] {
  const fits = storableJson(definition) === JSON.stringify(definition)
  return fits ? [] : [{ pointer: '/definition', message: UNSTORABLE }]
}

function textProblem(text: string, longest: number): string | undefined {
  if (text.length > longest) return `is longer than ${longest} characters`
  return text.includes('\u0000') || !text.isWellFormed() ? UNSTORABLE : undefined
}

function lineProblem(text: string): string | undefined {
  if (text.trim() === '') return 'is empty'
  return CONTROL.test(text) ? 'is one line' : undefined
}

function pathProblem(path: string): string | undefined {
  if (path === '/') return undefined
  const folders = path.split('/').slice(1)
  const fine = path.startsWith('/') && folders.every(name => name.trim() === name && !['', '.', '..'].includes(name))
  return fine && !CONTROL.test(path) ? undefined : 'is a folder such as /finance/invoices, or / for the root'
}
