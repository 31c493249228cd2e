import { registerHooks } from 'node:module'
import { Socket } from 'node:net'

const MODULES = [
  'net',
  'tls',
  'http',
  'https',
  'http2',
  'dgram',
  'dns',
  'dns/promises',
  'inspector',
  'inspector/promises',
]
const URLS = new Set(MODULES.map(name => `node:${name}`))

/** Throws the error with Node's code for access denied by its permission model, which does not cover the network. */
const refuse = (): never => {
  throw Object.assign(new Error('This process may not use the network'), { code: 'ERR_ACCESS_DENIED' })
}

/**
 * Disables networking in this process's JavaScript: network modules can no longer be loaded, and no socket can
 * connect. This does not stop native code. On systems that support namespaces, those block native code, too.
 */
export function refuseNetwork(): void {
  Object.defineProperty(Socket.prototype, 'connect', { value: refuse })
  Object.assign(process, { getBuiltinModule: refuse, binding: refuse, _linkedBinding: refuse })
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      return URLS.has(resolved.url) ? refuse() : resolved
    },
  })
}
