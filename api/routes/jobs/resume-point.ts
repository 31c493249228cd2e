import { parseAfter } from '../../../domain/stream-id.ts'
import type { AppContext } from '../../routing/state.ts'

/** Where a client wants to go on: what it asks for, or what its browser remembers. Throws ValidationError. */
export function resumePoint(ctx: AppContext, after: string | undefined): string | undefined {
  const from = after ?? (ctx.get('Last-Event-ID') || undefined)
  return from === undefined ? undefined : parseAfter(from)
}
