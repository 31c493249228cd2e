import { OPERATIONS } from '../generated/operations.ts'
import type { Repeats } from './transport.ts'

const PARAMETER = /\\\{\w+\\\}/g
const SPECIAL = /[.*+?^${}()|[\]\\]/g

/** Returns whether a request may be repeated, based on its method and path. */
export function findRepeats(method: string, path: string): Repeats {
  const [pathname = ''] = path.split('?')
  for (const operation of Object.values(OPERATIONS)) {
    const [verb, template = '', repeats] = operation.split(' ')
    if (verb === method && compilePattern(template).test(pathname)) return repeats as Repeats
  }
  return method === 'GET' ? 'safe' : 'no'
}

const compilePattern = (template: string) =>
  new RegExp(`^${template.replaceAll(SPECIAL, String.raw`\$&`).replaceAll(PARAMETER, '[^/]+')}$`)
