import { parseAfter } from '../../../../domain/shared/stream-id.ts'
import type { AppContext } from '../../../routing/state.ts'

/** Parses the stream position to resume after, from `after` or `Last-Event-ID`. Throws ValidationError. */
export function resumePoint(ctx: AppContext, after: string | undefined): string | undefined {
  const from = after ?? (ctx.get('Last-Event-ID') || undefined)
  return from === undefined ? undefined : parseAfter(from)
}
