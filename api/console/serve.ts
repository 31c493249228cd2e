import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { NotFound } from '../../domain/shared/errors.ts'
import { negotiateGzip } from '../routing/gzip.ts'
import type { AppContext, Step } from '../routing/state.ts'

const compress = promisify(gzip)

/** Output folder of `npm run console:build`. */
const BUILT = fileURLToPath(new URL('../../build/console/', import.meta.url))
const PREFIX = '/console'

/** Response headers that allow no other origins, and no inline scripts or styles. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Matches files with a digest in their name. Such files never change. */
const ASSET = /^assets\/[\w-]+(\.[\w-]+)*$/
const OTHERS = new Set(['icon.svg', 'scheme.js', 'push-worker.js'])
const PAGE = 'index.html'

/**
 * Serves the web console at `/console`: its files, and the console page at every other address that a browser
 * navigates to. Throws NotFound for a missing file. If the console is not built, throws NotFound for every address.
 */
export function serveConsole(folder = BUILT): Step {
  const assets = new Map<string, Promise<Buffer>>()

  /** Reads a file of the console. Assets are compressed once. Other files are small and may change with every build. */
  function read(name: string): Promise<Buffer> {
    if (!ASSET.test(name)) return readCompressed(folder, name)
    const asset = assets.get(name) ?? readCompressed(folder, name)
    assets.set(name, asset)
    asset.catch(() => assets.delete(name))
    return asset
  }

  return async (ctx, next) => {
    const { path, method } = ctx
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return next()
    if (method !== 'GET' && method !== 'HEAD') return next()
    const name = findFile(ctx)
    if (name === undefined) throw new NotFound('This console file')
    const { body, headers } = await negotiateGzip(ctx, await read(name))
    ctx.set(HEADERS)
    ctx.set('Cache-Control', ASSET.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache')
    ctx.set('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream')
    ctx.set(headers)
    ctx.body = body
    return undefined
  }
}

/** Returns the console page only for navigations, because a request for a missing script must not receive HTML. */
function findFile(ctx: AppContext): string | undefined {
  const name = ctx.path.slice(PREFIX.length + 1)
  if (ASSET.test(name) || OTHERS.has(name)) return name
  if (name.startsWith('assets/')) return undefined
  return ctx.accepts('text/html') ? PAGE : undefined
}

const readCompressed = async (folder: string, name: string): Promise<Buffer> =>
  compress(
    await readFile(`${folder}${name}`).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new NotFound(name === PAGE ? 'The console build' : 'This console file') : error
    }),
  )
