import { readFileSync } from 'node:fs'
import { callTool, connectMcp } from '../../support/tools/mcp.ts'

/**
 * Compares keyword searches through MCP and through REST, in alternation, on the stack of `npm start`: `node
 * test/bench/mcp/main.ts [base URL] [number]`.
 */

const [baseUrl = 'http://127.0.0.1:8080', count = '300'] = process.argv.slice(2)
const { api_key: token } = JSON.parse(readFileSync('.ganglion/credentials.json', 'utf8')) as { api_key: string }
const request = { query: 'vacation', mode: 'keyword', limit: 10 }
const WARM_UP = 30

async function byRest(): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/search`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.json()
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const describe = (name: string, times: number[]): string => {
  const sorted = times.slice(WARM_UP).sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1)
  return `${name.padEnd(16)} p50 ${at(0.5)} ms  p95 ${at(0.95)} ms`
}

const [modern, legacy] = await Promise.all([
  connectMcp({ baseUrl, token }),
  connectMcp({ baseUrl, token, era: '2025-11-25' }),
])
const ways = {
  REST: byRest,
  'MCP 2026-07-28': () => callTool(modern, 'search', request),
  'MCP 2025-11-25': () => callTool(legacy, 'search', request),
  'MCP tools/list': () => modern.listTools(undefined, { cacheMode: 'bypass' }),
}
const times = new Map<string, number[]>(Object.keys(ways).map(name => [name, []]))
for (let i = 0; i < Number(count) + WARM_UP; i++)
  for (const [name, work] of Object.entries(ways)) times.get(name)?.push(await measure(work))
for (const [name, measured] of times) process.stdout.write(`${describe(name, measured)}\n`)
await Promise.all([modern.close(), legacy.close()])
