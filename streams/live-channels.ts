import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { orUnavailable } from './redis.ts'

/** Number of channels per SUBSCRIBE command after a reconnect. */
const CHANNELS_PER_CALL = 500
/** How often the connection is checked with a ping. If there is no reply, the connection is reopened. */
const PING_MS = 5_000

export interface LiveChannels<Listener> {
  /** Resolves when the channel is subscribed. Throws Unavailable. */
  join(channel: string, listener: Listener): Promise<void>
  leave(channel: string, listener: Listener): void
  close(): void
}

interface Handlers<Listener> {
  /** Called once per message, with all listeners on the channel. */
  onMessage(listeners: ReadonlySet<Listener>, message: string): void
  /** Called when the connection is lost. Messages may be missed until the channel is subscribed again. */
  onDisconnect(listeners: Iterable<Listener>): void
  /** Called when the channel is subscribed again after a reconnect. */
  onResubscribe(listeners: Iterable<Listener>): void
  log: Logger
}

interface Channel<Listener> {
  listeners: Set<Listener>
  subscribed: Promise<unknown>
}

/** Shares one subscriber connection among all listeners. A channel stays subscribed while it has listeners. */
export function createLiveChannels<Listener>(subscriber: Redis, handlers: Handlers<Listener>): LiveChannels<Listener> {
  const channels = new Map<string, Channel<Listener>>()
  const subscribe = (names: string[]) => orUnavailable(subscriber.subscribe(...names))

  subscriber.on('message', (name: string, message: string) => {
    const channel = channels.get(name)
    if (channel) handlers.onMessage(channel.listeners, message)
  })

  subscriber.on('close', () => {
    for (const { listeners } of channels.values()) handlers.onDisconnect(listeners)
  })

  async function resubscribe(): Promise<void> {
    const names = [...channels.keys()]
    for (let at = 0; at < names.length; at += CHANNELS_PER_CALL)
      await subscribe(names.slice(at, at + CHANNELS_PER_CALL))
    for (const name of names) handlers.onResubscribe(channels.get(name)?.listeners ?? [])
  }

  subscriber.on('ready', () => {
    resubscribe().catch((err: unknown) => {
      handlers.log.warn({ err }, 'resubscribing failed')
      subscriber.disconnect(true)
    })
  })

  /** The ping causes a socket timeout when the connection does not reply, and the timeout closes the connection. */
  const check = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined)
  }, PING_MS)
  check.unref()

  function leave(name: string, listener: Listener): void {
    const channel = channels.get(name)
    if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) return
    channels.delete(name)
    subscriber.unsubscribe(name).catch(() => undefined)
  }

  return {
    async join(name, listener) {
      const channel = channels.get(name) ?? { listeners: new Set(), subscribed: subscribe([name]) }
      channels.set(name, channel)
      channel.listeners.add(listener)
      try {
        await channel.subscribed
      } catch (error) {
        leave(name, listener)
        throw error
      }
    },
    leave,
    close: () => clearInterval(check),
  }
}
