import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { markdownFromHtml } from '../../documents/extract/markdown/from-html.ts'
import { BoundedText, cleanText } from '../../../services/documents/reading/text.ts'
import type { ExtractOptions } from '../../../services/documents/reading/extracted.ts'
import type { Extractor } from '../../documents/extract/extractor.ts'
import { decodeBody } from '../http-node/decode-body.ts'
import type { Outbound } from '../../../services/tools/outbound/client.ts'
import { createRedactor } from '../../../domain/tools/redactor.ts'
import { statusError, toolFailedError } from '../errors.ts'
import type { Builtin } from './builtin.ts'

export interface HttpFetchDeps {
  outbound: Outbound
  extractor: Pick<Extractor, 'extract'>
}

/** HTML up to this size is converted inline within milliseconds. Larger pages are converted in an isolated process. */
const MAX_INLINE_BYTES = 32_768
const MAX_BYTES = 524_288
const ACCEPT = 'text/html, application/json;q=0.9, text/*;q=0.8'
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml)|application\/(?:javascript|x-ndjson))/i
const NO_SECRETS = createRedactor([])

/** Fetches a URL and returns its content as text or JSON. */
export function createHttpFetch({ outbound, extractor }: HttpFetchDeps): Builtin {
  async function extractContent(body: Buffer, type: string, options: ExtractOptions): Promise<JsonValue> {
    if (!/^(?:text\/html|application\/xhtml\+xml)/i.test(type)) return decodeBody(body, type)
    const limited = body.subarray(0, MAX_BYTES)
    if (limited.length <= MAX_INLINE_BYTES) return toMarkdown(decodeBody(limited, type) as string)
    const charset = /charset="?([\w-]+)/i.exec(type)?.[1]
    const { text } = await extractor.extract(limited, { media_type: 'text/html', charset }, options)
    return limited.length < body.length ? `${text}\n\n[cut here: the page is longer]` : text
  }

  return async ({ args, job, allowed_hosts, signal }) => {
    const { url } = args as unknown as { url: string }
    const baseHeaders = { 'user-agent': 'ganglion', accept: ACCEPT }
    const request = { method: 'GET', url, headers: baseHeaders, allowed_hosts, signal, secretHeaders: [] }
    const { status, headers, body } = await outbound.request(request)
    const type = headers['content-type'] ?? 'text/plain'
    if (status < 200 || status > 299) {
      const excerpt = TEXT.test(type) ? body.subarray(0, 2_000).toString('utf8') : ''
      throw statusError({ host: new URL(url).host, status, headers }, excerpt, NO_SECRETS)
    }
    if (!TEXT.test(type) && !/^application\/xhtml/i.test(type))
      throw toolFailedError(`The response must be text, not ${type}`)
    const { workspace_id } = job
    return { url, content: await extractContent(body, type, { workspace_id, signal }) }
  }
}

function toMarkdown(html: string): string {
  const out = new BoundedText(MAX_BYTES)
  markdownFromHtml(html, out)
  return cleanText(out.toString())
}
