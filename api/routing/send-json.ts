import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { AppContext } from './state.ts'

/** Sends JSON. Replaces unpaired surrogates, because truncated text may end in the middle of a character. */
export function sendJson(ctx: AppContext, body: unknown): void {
  if (!ctx.response.is('json', '+json')) ctx.type = 'application/json'
  ctx.body = toStorableJson(body)
}
