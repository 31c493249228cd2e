import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { nextFree } from '../../../dev/machine/ports.ts'

/** A Redis of a test's own, for what a shared one cannot bear: losing all data, stopping, coming back. */
export interface RedisServer {
  url: string
  /** Kills it at once, as a crash would. What it wrote to its append-only file stays. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops it from answering without closing a connection. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

export async function startRedisServer({ durable = false } = {}): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'ganglion-redis-'))
  const port = await nextFree()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess

  async function start(): Promise<void> {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '']
    if (durable) flags.push('--appendonly', 'yes', '--appendfsync', 'always')
    child = spawn('redis-server', flags, { stdio: 'ignore' })
    await ready(url)
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  await start()
  return {
    url,
    start,
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async remove() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function ready(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.ping()
  redis.disconnect()
}
