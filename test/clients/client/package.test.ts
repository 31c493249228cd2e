import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { build } from 'esbuild'
import { runInNewContext } from 'node:vm'
import { build as buildWithVite } from 'vite'
import { CHECKOUT } from '../../../dev/machine/folders.ts'

const MAX_BYTES = 14 * 1024
const MAX_PART_BYTES = 6 * 1024
const MAX_WIDGET_BYTES = 20 * 1024

async function bundle(contents: string, format: 'esm' | 'iife' = 'esm') {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: join(CHECKOUT, 'client/src'), loader: 'ts' },
    bundle: true,
    minify: true,
    format,
    globalName: 'ganglion',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return {
    code: Buffer.from(code).toString(),
    bytes: gzipSync(code, { level: 9 }).length,
    inputs: Object.keys(metafile.inputs),
  }
}

test('the whole client is at most 14 KB in a browser, and its parts are smaller', async () => {
  const whole = await bundle("export * from './index.ts'; export * from './webhooks.ts'")
  expect(whole.bytes).toBeLessThanOrEqual(MAX_BYTES)
  const parts = await bundle("export * from './errors.ts'; export * from './webhooks.ts'")
  expect(parts.bytes).toBeLessThanOrEqual(MAX_PART_BYTES)
  const packages = whole.inputs.filter(input => input.includes('node_modules'))
  expect(packages.every(input => input.includes('/eventsource-parser/'))).toBe(true)
})

test('importing the client has no side effects, so an unused import is bundled to nothing', async () => {
  expect((await bundle("import './index.ts'")).code.length).toBeLessThan(100)
})

test('in a browser, an API key is rejected, and a publishable key with a user token is accepted', async () => {
  const { code } = await bundle("export * from './index.ts'", 'iife')
  const create = (options: string) =>
    runInNewContext(`${code}; new ganglion.Ganglion(${options}).jobs.run('j').jobId`, {
      window: { document: {} },
      URL,
      Headers,
    })
  expect(() => create("{ baseUrl: 'http://x', apiKey: 'k' }") as string).toThrow('Everyone can read an API key')
  expect(create("{ baseUrl: 'http://x', publishableKey: 'k', getToken: () => 't' }")).toBe('j')
})

test('the chat widget is one script of at most 20 KB, without evaluated code or style elements', async () => {
  const result = await buildWithVite({
    configFile: join(CHECKOUT, 'client/widget/vite.config.ts'),
    build: { write: false },
    logLevel: 'error',
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap(built => ('output' in built ? built.output : []))
  const [script, ...others] = outputs.filter(output => output.type === 'chunk')
  expect(others).toEqual([])
  expect(gzipSync(script?.code ?? '').length).toBeLessThanOrEqual(MAX_WIDGET_BYTES)
  expect(script?.code).not.toMatch(/\beval\(|new Function\(|<style/)
})
