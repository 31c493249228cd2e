// Shows the notifications that the service sends to this browser, also while the console is closed.
// The message has the fields of renderNotice in services/channels/web-push/push.ts.

const HOME = '/console/'

self.addEventListener('push', event => {
  const { title, body, url, tag } = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }))
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(showPage(event.notification.data?.url))
})

/** Focuses the tab with the page, or opens one. Pages of other sites are never opened. */
async function showPage(url) {
  const page = new URL(url ?? HOME, self.location.href)
  const { href } = page.origin === self.location.origin ? page : new URL(HOME, self.location.href)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = tabs.find(tab => tab.url === href)
  return open ? open.focus() : self.clients.openWindow(href)
}
