import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { answered } from './redis.ts'

/** Channels per SUBSCRIBE when all are taken up anew after a reconnect. */
const AT_ONCE = 500
/** How often the connection shows that it is alive, in milliseconds; one that does not answer is opened anew. */
const CHECK_MS = 5_000

export interface LiveChannels<Listener> {
  /** Resolves once the channel is heard. Throws Unavailable when it cannot be. */
  join(channel: string, listener: Listener): Promise<void>
  leave(channel: string, listener: Listener): void
  close(): void
}

interface Handlers<Listener> {
  /** The listeners of a channel are told of a message in one call. */
  onMessage(listeners: ReadonlySet<Listener>, message: string): void
  /** The connection is lost: what comes from now on may have something missing before it. */
  onLoss(listeners: Iterable<Listener>): void
  /** The connection is back and the channel is heard again. */
  onReturn(listeners: Iterable<Listener>): void
  log: Logger
}

interface Channel<Listener> {
  listeners: Set<Listener>
  heard: Promise<unknown>
}

/** Shares one subscriber connection among all listeners of the process; a channel is subscribed to while anyone listens. */
export function createLiveChannels<Listener>(subscriber: Redis, handlers: Handlers<Listener>): LiveChannels<Listener> {
  const channels = new Map<string, Channel<Listener>>()
  const subscribe = (names: string[]) => answered(subscriber.subscribe(...names))

  subscriber.on('message', (name: string, message: string) => {
    const channel = channels.get(name)
    if (channel) handlers.onMessage(channel.listeners, message)
  })

  subscriber.on('close', () => {
    for (const { listeners } of channels.values()) handlers.onLoss(listeners)
  })

  async function subscribeAnew(): Promise<void> {
    const names = [...channels.keys()]
    for (let at = 0; at < names.length; at += AT_ONCE) await subscribe(names.slice(at, at + AT_ONCE))
    for (const name of names) handlers.onReturn(channels.get(name)?.listeners ?? [])
  }

  subscriber.on('ready', () => {
    subscribeAnew().catch((err: unknown) => {
      handlers.log.warn({ err }, 'resubscribing failed')
      subscriber.disconnect(true)
    })
  })

  /** The reply does not matter: a socket that owes one too long is closed by its own timeout. */
  const check = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined)
  }, CHECK_MS)
  check.unref()

  function leave(name: string, listener: Listener): void {
    const channel = channels.get(name)
    if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) return
    channels.delete(name)
    subscriber.unsubscribe(name).catch(() => undefined)
  }

  return {
    async join(name, listener) {
      const channel = channels.get(name) ?? { listeners: new Set(), heard: subscribe([name]) }
      channels.set(name, channel)
      channel.listeners.add(listener)
      try {
        await channel.heard
      } catch (error) {
        leave(name, listener)
        throw error
      }
    },
    leave,
    close: () => clearInterval(check),
  }
}
