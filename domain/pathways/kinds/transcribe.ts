import type { JsonObject } from '../../shared/json/json.ts'
import { defineKind, LINE, onlyDefault } from './kind.ts'

export const transcribe = defineKind<'transcribe'>({
  type: 'transcribe',
  properties: {
    with: {
      type: 'object',
      properties: { asset: LINE, audio_base64: { type: 'string', minLength: 1 }, mime_type: LINE, language: LINE },
      additionalProperties: false,
    },
  },
  required: ['with'],
  allows: { timeout: true, retry: true },
  ports: onlyDefault,
  labels: () => ['document'],
  sinks: () => ['/with'],
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_, context) => ({ type: 'run', with: context.evaluate('/with') as JsonObject }),
  effect: { defaultTimeoutMs: 3_600_000, mayHaveSideEffects: () => false },
  problems({ with: { asset, audio_base64, mime_type } }, { at }) {
    const isSent = audio_base64 !== undefined && mime_type !== undefined
    if (asset === undefined ? isSent : audio_base64 === undefined && mime_type === undefined) return []
    return [{ pointer: `${at}/with`, message: 'must have either asset or audio_base64 with mime_type' }]
  },
})
