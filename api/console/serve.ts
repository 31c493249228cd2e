import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { NotFound } from '../../domain/shared/errors.ts'
import { negotiateGzip } from '../routing/gzip.ts'
import type { AppContext, Step } from '../routing/state.ts'

const compress = promisify(gzip)

/** Where `npm run console:build` puts the console. */
const BUILT = fileURLToPath(new URL('../../build/console/', import.meta.url))
const PREFIX = '/console'

/** Nothing is loaded from or sent to another origin, and no script or style is inline. */
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
}

/** Files with a digest in their name never change. */
const ASSET = /^assets\/[\w-]+(\.[\w-]+)*$/
const OTHERS = new Set(['icon.svg', 'scheme.js'])
const PAGE = 'index.html'

/**
 * Serves the web console at `/console`: its files, and its page at every other address that a browser navigates to. Throws
 * NotFound for a missing file, and everywhere if the console is not built.
 */
export function serveConsole(folder = BUILT): Step {
  const assets = new Map<string, Promise<Buffer>>()

  /** Assets are compressed once. The others are small, and another build changes them. */
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
    if (name === undefined) throw new NotFound('This file of the console')
    const { body, headers } = await negotiateGzip(ctx, await read(name))
    ctx.set(HEADERS)
    ctx.set('Cache-Control', ASSET.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache')
    ctx.set('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream')
    ctx.set(headers)
    ctx.body = body
    return undefined
  }
}

/** The page answers navigations only: a script that is missing must not get HTML. */
function findFile(ctx: AppContext): string | undefined {
  const name = ctx.path.slice(PREFIX.length + 1)
  if (ASSET.test(name) || OTHERS.has(name)) return name
  if (name.startsWith('assets/')) return undefined
  return ctx.accepts('text/html') ? PAGE : undefined
}

const readCompressed = async (folder: string, name: string): Promise<Buffer> =>
  compress(
    await readFile(`${folder}${name}`).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT'
        ? new NotFound(name === PAGE ? 'A built console' : 'This file of the console')
        : error
    }),
  )
