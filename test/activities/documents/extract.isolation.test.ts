import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import fc from 'fast-check'
import { descendants, identify } from '../../../dev/machine/process-table.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { bullet, docx, paragraph, table } from './fixtures/docx.ts'
import { type FormatName, running, useExtractor } from './fixtures/extraction.ts'
import { longPdf, pdf } from './fixtures/pdf.ts'

type Read = ReturnType<typeof useExtractor>['read']

const LONG = longPdf()

/** Starts reading a slow document. `begun` settles after the first page. */
function begin(read: Read, signal?: AbortSignal, workspace_id?: string) {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const ended = read('pdf', LONG, { signal, onProgress: () => resolve(), ...(workspace_id && { workspace_id }) }).then(
    () => 'read',
    (error: unknown) => error,
  )
  return { begun, ended }
}

describe('concurrent reads', () => {
  const { read } = useExtractor({ concurrency: 2 })

  test('continue when one is cancelled, which immediately ends that read and its process', async () => {
    const [cancel, later] = [new AbortController(), new AbortController()]
    const one = begin(read, cancel.signal)
    const other = begin(read, later.signal)
    await Promise.all([one.begun, other.begun])
    expect(running()).toHaveLength(2)
    const reason = new Error('the request was cancelled')
    cancel.abort(reason)
    expect(await one.ended).toBe(reason)
    expect(running()).toHaveLength(1)
    expect(await read('html', 'next')).toMatchObject({ text: 'next' })
    expect(running()).toHaveLength(1)
    later.abort()
    await other.ended
  })

  test('are limited in number; each one is eventually read, unless it is cancelled first', async () => {
    const cancels = Array.from({ length: 4 }, () => new AbortController())
    const [first, second, third, fourth] = cancels.map(({ signal }) => begin(read, signal))
    await Promise.all([first!.begun, second!.begun])
    expect(running()).toHaveLength(2)
    cancels[2]!.abort()
    expect(await third!.ended).toBe(cancels[2]!.signal.reason)
    cancels[0]!.abort()
    await fourth!.begun
    expect(running()).toHaveLength(2)
    for (const cancel of cancels) cancel.abort()
    await Promise.all([first, second, third, fourth].map(it => it!.ended))
    expect(running()).toEqual([])
  })

  test('from one workspace leave a process free for other workspaces', async () => {
    const stop = new AbortController()
    const slow = ['a', 'a', 'a'].map(workspace => begin(read, stop.signal, workspace))
    await slow[0]!.begun
    expect(await read('html', 'x', { workspace_id: 'b' })).toMatchObject({ text: 'x' })
    expect(running()).toHaveLength(1)
    stop.abort()
    expect(await Promise.all(slow.map(({ ended }) => ended))).toEqual(slow.map(() => stop.signal.reason))
  })

  test('do not start if the signal is already aborted', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(read('text', 'x', { signal })).rejects.toBe(signal.reason)
  })

  test('are not disturbed by a failing listener', async () => {
    const onProgress = () => {
      throw new Error('the listener is broken')
    }
    expect(await read('pdf', pdf({ pages: [['x']] }), { onProgress })).toMatchObject({ text: 'x' })
  })

  test('fail with a retryable error if the process is killed', async () => {
    const { begun, ended } = begin(read)
    await begun
    process.kill(running()[0]!, 'SIGKILL')
    expect(await ended).toMatchObject({
      code: 'EXTRACTOR_LOST',
      message: 'The extraction process ended unexpectedly',
      retryable: true,
    })
  })
})

describe('closing', () => {
  const { extractor, read } = useExtractor({ concurrency: 1 })

  test('ends active and waiting reads', async () => {
    const first = begin(read)
    const second = begin(read)
    await first.begun
    await extractor.close()
    expect(running()).toEqual([])
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([
      { name: 'AbortError' },
      { name: 'AbortError' },
    ])
    await expect(read('text', 'x')).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test('no read outlives the process that requested it', async () => {
  const folder = join(import.meta.dirname, '../../..')
  const script = `
    import { createExtractor } from '${folder}/activities/documents/extract/extractor.ts'
    import { DEFAULT_LIMITS } from '${folder}/services/documents/reading/limits.ts'
    import { longPdf } from '${folder}/test/activities/documents/fixtures/pdf.ts'
    const log = { debug() {}, warn() {} }
    const onProgress = () => console.log('reading')
    await createExtractor({ limits: DEFAULT_LIMITS, log }).extract(longPdf(), { media_type: 'application/pdf' }, { workspace_id: 'w', onProgress })`
  const worker = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = once(worker, 'exit').then(([code]) => Promise.reject(new Error(`It ended with ${String(code)}`)))
  await Promise.race([once(worker.stdout, 'data'), failed])
  failed.catch(() => undefined)
  const [reading] = descendants(worker.pid!)
  expect(identify(reading!.pid)).toEqual(reading)
  worker.kill('SIGKILL')
  await waitUntil(() => identify(reading!.pid)?.started !== reading!.started)
})

describe('a document with arbitrary bytes', () => {
  const { read } = useExtractor({ concurrency: 4 })
  const samples: [FormatName, Buffer][] = [
    ['pdf', pdf({ pages: [['Größe', 'and more'], ['漢字']], info: { Title: 'T' } })],
    [
      'docx',
      docx({ body: paragraph('Größe', 'Heading1') + bullet('one') + table([['a', 'b']]), properties: '<dc:title/>' }),
    ],
    ['html', Buffer.from('<!doctype html><title>t</title><table><tr><td>a</table><ul><li>b<pre>c</pre><h1>d')],
    ['csv', Buffer.from('a;b\n"c";d\n1;2\n')],
    ['json', Buffer.from('{"a":[1,{"b":null}],"c":"d"}')],
  ]
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 20 })

  test('yields clean text, or a failure with a reason', async () => {
    const damaged = fc.tuple(fc.constantFrom(...samples), changes, fc.nat())
    await fc.assert(
      fc.asyncProperty(damaged, async ([[format, whole], changes, cut]) => {
        const bytes = Buffer.from(whole)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        const outcome = await read(format, bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : undefined)).catch(
          (error: unknown) => error as { code: string; message: string },
        )
        if ('text' in outcome) expect(outcome.text).not.toMatch(/(?![\n\t])\p{Cc}|\p{Cs}/u)
        else expect(outcome).toMatchObject({ code: expect.stringMatching(/^DOCUMENT_/), retryable: false })
      }),
      { numRuns: 25 },
    )
  })
})
