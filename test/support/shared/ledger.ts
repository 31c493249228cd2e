import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBody, startHttpServer, type TestServer } from '../stack/http-server.ts'

/** One request as it arrived, whether or not it had an effect. */
export interface LedgerRequest {
  method: string
  path: string
  search: string
  headers: Record<string, string>
  body: string
  key?: string
  at: number
  /** Set once the response has been sent. */
  answered_at?: number
  /** Set if the caller disconnected before the response. */
  aborted_at?: number
}

/** One real effect. A second request with the same Idempotency-Key has no further effect. */
export interface Effect {
  id: string
  key?: string
  method: string
  path: string
  body: unknown
}

export interface Ledger extends TestServer {
  requests: LedgerRequest[]
  effects: Effect[]
  /** Effects with the same key or body as another effect. There must never be any. */
  duplicates(): Effect[]
}

/**
 * An endpoint that records effects. Responds with 200 `{id, count, path, received}`. The same Idempotency-Key gets
 * the
 * same `id` again. The query sets the behavior:
 * - `delay_ms=n`: the effect happens immediately, the response comes later;
 * - `fail=n`: the first n requests of a key (or path) get `status` (503 by default) and have no effect;
 * - `retry_after=s`: sent with these failures;
 * - `hang=true`: the effect happens, and no response is sent;
 * - `status=n` without `fail`: the status of every response;
 * - `raw=text`: the response is this JSON text.
 */
export async function startLedger(): Promise<Ledger> {
  const requests: LedgerRequest[] = []
  const effects: Effect[] = []
  const failures = new Map<string, number>()
  const server = await startHttpServer((request, response) => {
    // A caller that disconnects before its body is complete gets no response.
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://ledger')
    const entry = note(request, url)
    response.once('close', () => {
      entry[response.writableFinished ? 'answered_at' : 'aborted_at'] = Date.now()
    })
    entry.body = await readBody(request)
    const ask = (name: string) => Number(url.searchParams.get(name) ?? 0)
    const failed = failures.get(entry.key ?? url.pathname) ?? 0
    if (failed < ask('fail')) {
      failures.set(entry.key ?? url.pathname, failed + 1)
      if (ask('retry_after')) response.setHeader('retry-after', String(ask('retry_after')))
      return reply(response, ask('status') || 503, { error: 'failed as asked', failed: failed + 1 })
    }
    const effect = settle(entry)
    if (url.searchParams.get('hang') === 'true') return
    if (ask('delay_ms')) await sleep(ask('delay_ms'))
    const raw = url.searchParams.get('raw')
    if (raw !== null) return send(response, 200, raw)
    reply(response, (!ask('fail') && ask('status')) || 200, {
      id: effect.id,
      count: effects.length,
      path: entry.path,
      received: effect.body,
    })
  }

  function note(request: IncomingMessage, { pathname: path, search }: URL): LedgerRequest {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const entry = {
      method: request.method ?? '',
      path,
      search,
      headers,
      body: '',
      key: headers['idempotency-key'],
      at: Date.now(),
    }
    requests.push(entry)
    return entry
  }

  function settle(entry: LedgerRequest): Effect {
    const earlierEffect = entry.key === undefined ? undefined : effects.find(effect => effect.key === entry.key)
    if (earlierEffect) return earlierEffect
    const effect = {
      id: `effect-${effects.length + 1}`,
      key: entry.key,
      method: entry.method,
      path: entry.path,
      body: parse(entry.body),
    }
    effects.push(effect)
    return effect
  }

  return {
    ...server,
    requests,
    effects,
    duplicates: () => effects.filter((effect, i) => effects.findIndex(same(effect)) !== i),
  }
}

const same = (a: Effect) => (b: Effect) =>
  a.path === b.path && JSON.stringify(a.body) === JSON.stringify(b.body) && (a.body !== null || a.key === b.key)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || null
  }
}

const reply = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, JSON.stringify(body))

function send(response: ServerResponse, status: number, json: string): void {
  if (!response.destroyed) response.writeHead(status, { 'content-type': 'application/json' }).end(json)
}
