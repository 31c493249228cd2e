import type { Document, KindDefinition } from './kind.ts'
import type { Delta } from './patching.ts'
import type { Scope } from './scope.ts'

interface ResourceScope {
  scope: Scope
}

/** Returns the visible part of a document. Some fields of core resources are hidden. */
export function redactDocument(
  { scope }: ResourceScope,
  document: Document,
  { hiddenCoreFields = [] }: KindDefinition,
): Document {
  if (scope !== 'core') return document
  return Object.fromEntries(Object.entries(document).filter(([name]) => !hiddenCoreFields.includes(name)))
}

/** Returns the visible part of a delta. For core resources, it contains only the names of the changed fields. */
export const redactDelta = ({ scope }: ResourceScope, delta: Delta | null): Delta | null =>
  scope === 'core' && delta ? { changed: delta.changed } : delta
