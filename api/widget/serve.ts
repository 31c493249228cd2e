import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { NotFound } from '../../domain/shared/errors.ts'
import { negotiateGzip } from '../routing/gzip.ts'
import type { Step } from '../routing/state.ts'

const compress = promisify(gzip)

/** Output of `vite build client/widget`. */
const BUILT = fileURLToPath(new URL('../../build/widget/widget.js', import.meta.url))
const PATH = '/v1/public/widget.js'
/** After this time, browsers ask whether the script has changed. */
const MAX_AGE_SECONDS = 300

interface Script {
  body: Buffer
  etag: string
  changed_at: number
}

/** Serves the script of the chat widget to pages of all sites. Throws NotFound if the widget is not built. */
export function serveWidget(file = BUILT): Step {
  let script: Promise<Script> | undefined

  /** Reads and compresses the script once, and again after a new build. */
  async function read(): Promise<Script> {
    const { mtimeMs } = await stat(file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new NotFound('The widget build') : error
    })
    const last = await script?.catch(() => undefined)
    if (last?.changed_at === mtimeMs) return last
    script = readScript(file, mtimeMs)
    return script
  }

  return async (ctx, next) => {
    if (ctx.path !== PATH || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    const { body: compressed, etag } = await read()
    ctx.set({
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etag,
    })
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return undefined
    }
    const { body, headers } = await negotiateGzip(ctx, compressed)
    ctx.set(headers)
    ctx.body = body
    return undefined
  }
}

async function readScript(file: string, changed_at: number): Promise<Script> {
  const body = await compress(await readFile(file))
  return { body, etag: `W/"${createHash('sha256').update(body).digest('base64url')}"`, changed_at }
}
