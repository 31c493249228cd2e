import { z } from 'zod'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { jsonValue } from '../shared/json.ts'

const algorithm = z.literal('Ed25519')

/** A text in clear, with the salt of its hash in the document. */
const disclosedText = z.object({
  seq: z.int().meta({ description: 'The vote that has the text, or 0 for what was shown to all voters' }),
  name: z.string().meta({ description: 'Such as `title` or `comment`' }),
  salt: z.string(),
  value: jsonValue,
})

/** A text with the salt of its hash in the statements of votes. */
export type DisclosedText = z.output<typeof disclosedText>

export const evidence = z
  .object({
    document: z.custom<JsonObject>().meta({
      type: 'object',
      description:
        '`evidence/2`: the run, the signed statement of each vote with its role, the decision, the history, the audit log entries with their seals, and mismatches between these. Of a removed run, `purged_at` and `purged_by`',
    }),
    shown: z.custom<JsonObject | null>().meta({
      type: ['object', 'null'],
      description: 'What was shown. Its canonical JSON (RFC 8785) has the SHA-256 `shown_hash`. Null after a purge',
    }),
    texts: z.array(disclosedText).meta({
      description:
        'Texts and values. Each is in the statements as the SHA-256 of the canonical JSON of `[salt, name, value]`, so you can leave out any of them',
    }),
    signature: z
      .object({
        algorithm,
        key_id: z.string(),
        value: z.string().meta({ description: 'Of the canonical JSON (RFC 8785) of the document, in Base64' }),
      })
      .nullable()
      .meta({ description: 'Null where the service has no key to sign with' }),
  })
  .meta({ id: 'Evidence' })

/** What proves a decision: what was shown, to whom, and who answered what in which role. */
export type Evidence = z.output<typeof evidence>

const evidenceKey = z.object({
  key_id: z.string(),
  algorithm,
  public_key: z.string().meta({ description: 'As PEM' }),
  /** Others verify older documents. */
  is_current: z.boolean().meta({ description: 'Whether new documents are signed with it' }),
})
export type EvidenceKey = z.output<typeof evidenceKey>

export const evidenceKeys = z
  .object({
    data: z.array(evidenceKey),
  })
  .meta({ id: 'EvidenceKeys' })
