import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { nextFree } from '../../../dev/machine/ports.ts'

/** A separate Redis for a test in which it loses all data, stops or restarts. */
export interface RedisServer {
  url: string
  /** Kills Redis immediately, as in a crash. Data in its append-only file is kept. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops Redis from responding without closing any connection. */
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
