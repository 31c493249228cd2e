import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context } from 'koa'

const decompress = promisify(gunzip)

/** Returns the body and headers, compressed with gzip if the client accepts that encoding. */
export async function negotiateGzip(
  ctx: Pick<Context, 'vary' | 'acceptsEncodings'>,
  gzipped: Buffer,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  ctx.vary('Accept-Encoding')
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
    ? { body: gzipped, headers: { 'Content-Encoding': 'gzip' } }
    : { body: await decompress(gzipped), headers: {} }
}
