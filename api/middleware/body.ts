import { UnsupportedMediaType } from '../../domain/shared/errors.ts'
import { isUtf8 } from '../../domain/shared/text/utf8.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { parseJson } from '../../domain/shared/json/parsing/parse-json.ts'
import { readBody } from './raw-body.ts'

/** Reads a JSON body into `ctx.state.json`; an empty body leaves it undefined. The limit counts bytes after inflation. */
export function body(maxBytes: number): Step {
  return async (ctx, next) => {
    const bytes = await readBody(ctx, maxBytes)
    if (bytes.length > 0) {
      requireJson(ctx)
      ctx.state.json = parseJson(bytes)
    }
    return next()
  }
}

export function requireJson(ctx: AppContext): void {
  const { type, charset } = ctx.request
  if (type.toLowerCase() !== 'application/json')
    throw new UnsupportedMediaType('The Content-Type must be application/json')
  if (charset && !isUtf8(charset)) throw new UnsupportedMediaType('The charset of the body must be UTF-8')
}
