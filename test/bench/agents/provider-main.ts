import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBody, startHttpServer } from '../../support/stack/http-server.ts'
import { chat } from '../../support/agents/model-protocols/chat.ts'
import type { Frame, ModelTurn } from '../../support/agents/model-protocols/protocol.ts'
import { planIn, TOOL } from './plan.ts'
import { sentToken } from './stamps.ts'

/** The scripted provider in its own process. It streams chat completions as planned in the user message. */
const server = await startHttpServer((request, response) => {
  const arrived = process.hrtime.bigint()
  void answer(request, response, arrived).catch(() => response.destroy())
})
console.log(`port=${server.port};`)

async function answer(request: IncomingMessage, response: ServerResponse, arrived: bigint): Promise<void> {
  const body = JSON.parse(await readBody(request)) as Record<string, unknown>
  if (request.url === '/ok') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const asked = chat.read(body, '')
  const { steps, tokens, wait_ms, every_ms } = planIn(asked.turns.find(({ role }) => role === 'user')?.text ?? '')
  const step = stepOf(asked.turns)
  const writer = chat.writer({ ...asked, body }, { input: 10, output: tokens, cached: 0 })
  const send = async (frames: Frame[]) => {
    if (!response.write(frames.map(written).join(''))) await once(response, 'drain')
  }
  if (wait_ms > 0) await sleep(wait_ms)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await send(writer.begin())
  for (let i = 0; i < tokens && !response.destroyed; i++) {
    if (i > 0 && every_ms > 0) await sleep(every_ms)
    await send(writer.token(sentToken(i === 0 ? arrived : undefined)))
  }
  const calls = step < steps
  if (calls) for (const frames of writer.call({ id: `call-${step}`, name: TOOL, pieces: ['{}'] })) await send(frames)
  await send(writer.end(calls ? 'tool_calls' : 'stop'))
  response.end()
}

const stepOf = (turns: ModelTurn[]): number => 1 + turns.filter(({ role }) => role === 'assistant').length
const written = ({ data }: Frame): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
