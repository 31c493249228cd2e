import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { makeFolder } from '../machine/folders.ts'
import { which } from '../machine/shell.ts'
import type { Component, NativeContext } from './component.ts'

const CHECK_MS = 2000

const settings = (context: NativeContext): string =>
  [
    'bind 127.0.0.1',
    `port ${context.ports.redis}`,
    `requirepass ${context.secrets.redis_password}`,
    `dir "${context.data}"`,
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
  ].join('\n')

/** Redis 7 with its own configuration and an append-only file. */
export const redis: Component = {
  name: 'redis',
  urlKey: 'REDIS_URL',
  required: true,
  ports: ['redis'],
  docker: { service: 'redis' },
  stopSignal: 'SIGTERM',
  readySeconds: 60,

  environment: ({ ports, secrets }) => ({ REDIS_URL: `redis://:${secrets.redis_password}@127.0.0.1:${ports.redis}/0` }),

  async install(context) {
    const find = () => which('redis-server', ['/usr/sbin', '/opt/homebrew/bin'])
    if (!find()) await context.apt(['redis-server'], 'Redis')
    const binary = find()
    if (!binary) throw new Error('redis-server is installed, but was not found in PATH')
    return binary
  },

  async launch(context, installed) {
    makeFolder(context.data, { mode: 0o700 })
    const file = join(context.data, 'redis.conf')
    writeFileSync(file, settings(context), { mode: 0o600 })
    return { command: installed, args: [file] }
  },

  async check(environment) {
    const client = new Redis(environment['REDIS_URL'] ?? '', {
      lazyConnect: true,
      connectTimeout: CHECK_MS,
      commandTimeout: CHECK_MS,
      retryStrategy: () => null,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.ping()
    } finally {
      client.disconnect()
    }
  },
}
