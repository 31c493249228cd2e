/** Shows notifications. It is not part of the page. */
const WORKER = '/console/push-worker.js'
const SCOPES = '/console/push/'

/** Whether this browser shows notifications of a channel. */
export type PushState = 'unsupported' | 'blocked' | 'on' | 'off'

/** A subscription as the service stores it. */
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** @param ids the person's subscriptions at the service */
export async function readPushState(publicKey: string, ids: string[]): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const id = await findSubscriptionId(publicKey)
  return id !== undefined && ids.includes(id) ? 'on' : 'off'
}

/** Subscribes this browser. Returns undefined if the person does not permit notifications. */
export async function subscribe(publicKey: string): Promise<Subscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const registration = await navigator.serviceWorker.register(WORKER, { scope: buildScope(publicKey) })
  await waitUntilActive(registration)
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON()
  return { endpoint, keys } as Subscription
}

/** Ends the subscription of this browser. Returns its id, or undefined if there is none. */
export async function unsubscribe(publicKey: string): Promise<string | undefined> {
  const id = await findSubscriptionId(publicKey)
  await (await findRegistration(publicKey))?.unregister()
  return id
}

/** Ends all subscriptions of this browser. Push services then reject messages, so that the service removes them. */
export async function unsubscribeAll(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  const ours = registrations.filter(({ scope }) => new URL(scope).pathname.startsWith(SCOPES))
  await Promise.all(ours.map(registration => registration.unregister()))
}

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** A registration can subscribe with one key. So each channel has its own, and its scope contains no pages. */
const buildScope = (publicKey: string) => `${SCOPES}${publicKey}/`

const findRegistration = (publicKey: string) => navigator.serviceWorker.getRegistration(buildScope(publicKey))

async function findSubscriptionId(publicKey: string): Promise<string | undefined> {
  const registration = await findRegistration(publicKey)
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint))
  return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('')
}

async function waitUntilActive({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (active || !worker) return
  await new Promise<void>(resolve => {
    worker.addEventListener(
      'statechange',
      () => worker.state !== 'installed' && worker.state !== 'activating' && resolve(),
    )
  })
}
