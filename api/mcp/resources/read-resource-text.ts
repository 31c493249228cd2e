import { z } from 'zod'
import type { Principal } from '../../../domain/access/principal.ts'
import { getResourceKind, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import { type TextPart, readTextPart } from '../../../services/documents/text-parts.ts'
import type { McpDeps } from '../mcp-deps.ts'
import type { HeadView } from '../../../contract/resources/head.ts'

/** Maximum size of a text part that a host can still pass to a model. */
export const MAX_PART_BYTES = 200_000

/** Arguments that select a part of a text. */
export const textRange = {
  offset: z.int().min(0).max(1_000_000_000).default(0).meta({ description: 'Start of the part, in bytes' }),
  max_bytes: z.int().min(100).max(MAX_PART_BYTES).default(50_000),
}

export interface ResourceText extends TextPart {
  head: HeadView
  media_type: string
}

/** Reads a part of a resource's text: the content of a document, or the searchable text of any other resource. */
export async function readResourceText(
  { documents, resources }: Pick<McpDeps, 'documents' | 'resources'>,
  principal: Principal,
  { kind, idOrSlug, version }: { kind: ResourceKind; idOrSlug: string; version?: number },
  range: { offset: number; max_bytes: number },
): Promise<ResourceText> {
  if (kind === 'assets' || kind === 'artifacts') {
    const { document: head, ...part } = await documents.readText(principal, kind, idOrSlug, { version, ...range })
    return { head, ...part }
  }
  const { document, snapshot: _, ...head } = await resources.read(principal, kind, idOrSlug, version)
  const whole = Buffer.from(getResourceKind(kind).text(document) || JSON.stringify(document))
  const bytes = whole.subarray(range.offset, range.offset + range.max_bytes)
  return { head, media_type: 'text/markdown', ...readTextPart({ bytes, size: whole.byteLength }, range.offset) }
}
