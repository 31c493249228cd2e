import type { Document, KindDefinition } from './kind.ts'
import type { Delta } from './patching.ts'

interface Scoped {
  scope: 'core' | 'workspace' | 'brain'
}

/** A document as it may be seen: what the service brings along keeps some of its fields to itself. */
export function redactDocument(
  { scope }: Scoped,
  document: Document,
  { hiddenCoreFields = [] }: KindDefinition,
): Document {
  if (scope !== 'core') return document
  return Object.fromEntries(Object.entries(document).filter(([name]) => !hiddenCoreFields.includes(name)))
}

/** What a version changed, as it may be seen. */
export const redactDelta = ({ scope }: Scoped, delta: Delta | null): Delta | null =>
  scope === 'core' && delta ? { changed: delta.changed } : delta
