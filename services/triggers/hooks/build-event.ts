import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { SignatureSettings } from '../../../domain/triggers/hooks/signature.ts'
import type { HookBody } from './read-body.ts'
import type { HookRequest } from './receive.ts'

const MAX_HEADERS = 100
const MAX_HEADER_CHARS = 2_000

/** Headers that authenticate the request or relate only to its transport. */
const HIDDEN = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'cookie',
  'host',
  'proxy-authorization',
  'stripe-signature',
  'svix-signature',
  'transfer-encoding',
  'webhook-signature',
  'x-hub-signature',
  'x-hub-signature-256',
  'x-slack-signature',
])

/** Builds the event fields from a request. */
export function buildHookEvent(
  { headers, query }: Pick<HookRequest, 'headers' | 'query'>,
  { body, format, deliveryId }: HookBody & { deliveryId?: string },
  signature: SignatureSettings,
): JsonObject {
  const hidden = 'header' in signature ? HIDDEN.union(new Set([signature.header])) : HIDDEN
  const visibleHeaders = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || hidden.has(name) ? [] : [[name, cleanHeader(value)] as const],
  )
  return {
    body,
    format,
    headers: Object.fromEntries(visibleHeaders.slice(0, MAX_HEADERS)),
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value].flat().map(cleanHeader).join(',')]),
    ),
    ...(deliveryId !== undefined && { delivery_id: deliveryId }),
  }
}

/** Headers may contain bytes that are not valid text. */
const cleanHeader = (value: string) => value.slice(0, MAX_HEADER_CHARS).replaceAll('\0', '').toWellFormed()
