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

/** Node's code for what its permission model denies. It has no permission for the network. */
const refuse = (): never => {
  throw Object.assign(new Error('This process may not use the network'), { code: 'ERR_ACCESS_DENIED' })
}

/**
 * Takes the network away from the JavaScript of this process: modules with access to it can't be loaded from now on, and no
 * socket connects. It doesn't stop native code, which namespaces do where the system has them.
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
