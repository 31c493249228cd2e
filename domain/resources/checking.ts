import { z } from 'zod'
import { measureExtent } from '../shared/json/json-size.ts'
import type { Problem } from '../shared/json/json.ts'
import { prefixPointers } from '../shared/json/json-pointer.ts'
import { isDeeplyStorable, isStorable, UNSTORABLE } from '../shared/json/storable.ts'
import { toPointer, PARSE_OPTIONS, zodProblems } from '../shared/zod-problems.ts'
import { writeDocumentText } from './document-text.ts'
import type { Document, KindDefinition } from './kind.ts'
import { folderPath, slug, title } from './names.ts'
import type { Editable } from './patching.ts'
import { SCOPES } from './scope.ts'

const MAX_DOCUMENT_CHARS = 4_000_000
const TOO_LONG = `must have at most ${MAX_DOCUMENT_CHARS} characters of JSON`
export const MAX_NOTE_CHARS = 2_000
const MAX_DEPTH = 200

const editable = z.strictObject({
  title,
  slug,
  path: folderPath,
  scope: z.enum(SCOPES),
  brain_id: z.uuid('must be a UUID').nullable(),
  is_active: z.boolean(),
  document: z.record(z.string(), z.unknown()),
})

/** Lists the problems with a save note. The note is not part of the resource. */
export function noteProblems(note: string | undefined): Problem[] {
  if (note === undefined) return []
  if (note.length > MAX_NOTE_CHARS)
    return [{ pointer: '/note', message: `must have at most ${MAX_NOTE_CHARS} characters` }]
  return isStorable(note) ? [] : [{ pointer: '/note', message: UNSTORABLE }]
}

export type CheckResult = { value: Editable } | { problems: Problem[] }

/** Validates a save as far as possible without queries. Lists all problems by JSON pointer. */
export function checkEditable(raw: unknown, kind: KindDefinition): CheckResult {
  const head = editable.safeParse(raw, PARSE_OPTIONS)
  const problems = head.success ? [] : zodProblems(head.error)
  const rawDocument = (raw as { document?: unknown } | null)?.document
  const document =
    typeof rawDocument === 'object' && rawDocument !== null ? checkDocument(rawDocument, kind) : undefined
  if (document && 'problems' in document) problems.push(...prefixPointers('/document', document.problems))
  if (!head.success || !document || 'problems' in document) return { problems }
  return { value: { ...head.data, document: document.value } }
}

/** Validates a save whose document is already valid, except possibly for its length. */
export function checkHead(raw: Editable): CheckResult {
  const { document, ...fields } = raw
  const head = editable.omit({ document: true }).safeParse(fields, PARSE_OPTIONS)
  const problems = head.success ? [] : zodProblems(head.error)
  if (writeDocumentText(document).length > MAX_DOCUMENT_CHARS)
    problems.push({ pointer: '/document', message: TOO_LONG })
  return head.success && problems.length === 0 ? { value: { ...head.data, document } } : { problems }
}

function checkDocument(raw: object, kind: KindDefinition): { value: Document } | { problems: Problem[] } {
  const extent = sizeProblem(raw)
  if (extent) return { problems: [{ pointer: '', message: extent }] }
  const unstorable = Object.entries(raw).filter(entry => !isDeeplyStorable(entry))
  if (unstorable.length > 0)
    return { problems: unstorable.map(([key]) => ({ pointer: toPointer([key]), message: UNSTORABLE })) }
  const shape = kind.document.safeParse(raw, PARSE_OPTIONS)
  if (!shape.success) return { problems: zodProblems(shape.error) }
  const problems = kind.problems?.(shape.data) ?? []
  return problems.length > 0 ? { problems } : { value: shape.data as Document }
}

function sizeProblem(document: object): string | undefined {
  if (measureExtent(document).depth > MAX_DEPTH) return `must be at most ${MAX_DEPTH} levels deep`
  return JSON.stringify(document).length > MAX_DOCUMENT_CHARS ? TOO_LONG : undefined
}
