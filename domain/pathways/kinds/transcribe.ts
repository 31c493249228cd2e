import type { JsonObject } from '../../shared/json/json.ts'
import { type EffectKind, type NodeFields, type NodeOf, LINE, onlyDefault } from './kind.ts'

const fields = {
  properties: {
    /** Transcribes the audio of an asset, or base64 audio. The output is the transcript. */
    with: {
      type: 'object',
      properties: { asset: LINE, audio_base64: { type: 'string', minLength: 1 }, mime_type: LINE, language: LINE },
      additionalProperties: false,
    },
  },
  required: ['with'],
} as const satisfies NodeFields

export type TranscribeNode = NodeOf<'transcribe', typeof fields>

export const transcribe: EffectKind<TranscribeNode> = {
  type: 'transcribe',
  fields,
  allows: { timeout: true, retry: true },
  ports: onlyDefault,
  labels: () => ['document'],
  sinks: () => ['/with'],
  bindings: node => [{ at: '/with', template: node.with as JsonObject }],
  start: (_, context) => ({ type: 'run', with: context.evaluate('/with') as JsonObject }),
  effect: {
    right: values => ('asset' in values ? 'resources:read' : null),
    defaultTimeoutMs: 3_600_000,
    mayHaveSideEffects: () => false,
  },
  problems({ with: { asset, audio_base64, mime_type } }, { at }) {
    const isSent = audio_base64 !== undefined && mime_type !== undefined
    if (asset === undefined ? isSent : audio_base64 === undefined && mime_type === undefined) return []
    return [{ pointer: `${at}/with`, message: 'must have either asset or audio_base64 with mime_type' }]
  },
}
