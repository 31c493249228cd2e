import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../support/stack/process.ts'
import type { Attack } from './attack.ts'

const STREAMS = 10_000
const OPENING = 100
const PLANS = { standard: { requests_per_minute: 1_000_000, open_streams: STREAMS } }

/** Opens event streams whose clients rarely read, and sends an event that each of them gets. */
export const idleStreams: Attack = {
  name: `${STREAMS} idle streams of events`,
  env: { MAX_CONNECTIONS: String(3 * STREAMS), PLANS: JSON.stringify(PLANS), STREAM_PING_SECONDS: '60' },
  async run({ stack, workspace, ganglion, measure }) {
    const pid = stack.api.child.pid ?? 0
    const before = residentKb(pid)
    let [opened, informed] = [0, 0]
    const { hostname, port } = new URL(stack.baseUrl)
    const head = `GET /v1/events/stream?types=resource.created HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${workspace.api_key}\r\n\r\n`
    const open = () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => socket.write(head))
        socket.setEncoding('latin1').once('error', reject)
        socket.on('data', text => {
          if (String(text).includes('"position"')) resolve(socket)
          if (String(text).includes('resource.created')) informed++
        })
      })
    const began = Date.now()
    const sockets: Socket[] = []
    while (opened < STREAMS) {
      sockets.push(...(await Promise.all(Array.from({ length: OPENING }, open))))
      opened += OPENING
    }
    const seconds = (Date.now() - began) / 1_000
    const kbEach = (residentKb(pid) - before) / STREAMS
    await measure()
    const sent = Date.now()
    await ganglion.skills.create({ title: 'Seen by all', instructions: 'Be brief.' })
    await waitUntil(() => informed >= STREAMS)
    const spread = (Date.now() - sent) / 1_000
    for (const socket of sockets) socket.destroy()
    await sleep(5_000)
    await ganglion.jobs.list()
    return `opened in ${seconds.toFixed(0)} s, ${kbEach.toFixed(0)} kB each; an event reached all in ${spread.toFixed(1)} s`
  },
}

/** Returns the resident memory of a process in KB. */
function residentKb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb)
}
