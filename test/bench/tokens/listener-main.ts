import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Samples } from '../support/item.ts'
import { obey } from './child.ts'
import { agesIn } from './stamp.ts'

/** `open` streams, `forget` the tokens so far, `tell` the tokens, or `close` all streams. */
export type Listening =
  { do: 'open'; side: keyof Samples; urls: string[]; authorization: string } | { do: 'forget' | 'tell' | 'close' }

const AT_ONCE = 20

let open: IncomingMessage[] = []
let heard: Samples = { ours: [], bare: [] }

async function listen(url: string, side: keyof Samples, authorization: string): Promise<void> {
  const [response] = (await once(get(url, { headers: { authorization } }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  open.push(response)
  response.setEncoding('utf8')
  response.on('data', (text: string) => heard[side].push(...agesIn(text)))
  response.on('error', () => undefined)
}

obey(async (task: Listening) => {
  if (task.do === 'open') {
    const left = [...task.urls]
    const openNext = async () => {
      for (let url = left.pop(); url; url = left.pop()) await listen(url, task.side, task.authorization)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, openNext))
    return undefined
  }
  if (task.do === 'tell') return heard
  if (task.do === 'forget') heard = { ours: [], bare: [] }
  if (task.do === 'close') for (const response of open.splice(0)) response.destroy()
  return undefined
})
