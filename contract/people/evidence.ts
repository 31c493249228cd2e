import { z } from 'zod'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { jsonValue } from '../shared/json.ts'

const algorithm = z.literal('Ed25519')

/** A plaintext value, with the salt used for its hash in the evidence document. */
const disclosedText = z.object({
  seq: z.int().meta({ description: 'Number of the vote that the text belongs to, or 0 for texts shown to all voters' }),
  name: z.string().meta({ description: 'Name of the text, such as `title` or `comment`' }),
  salt: z.string(),
  value: jsonValue,
})

/** A text, with the salt used for its hash in the signed vote statements. */
export type DisclosedText = z.output<typeof disclosedText>

export const evidence = z
  .object({
    document: z.custom<JsonObject>().meta({
      type: 'object',
      description:
        "Document in the format `evidence/2`: the run, the decision and its history, and the signed statement of each vote with the voter's role. It also contains audit log entries with their seals, and any mismatches. For a purged run, it contains `purged_at` and `purged_by`.",
    }),
    shown: z.custom<JsonObject | null>().meta({
      type: ['object', 'null'],
      description:
        'Content that was shown to the voters. `shown_hash` is the SHA-256 of its canonical JSON (RFC 8785). Null after a purge.',
    }),
    texts: z.array(disclosedText).meta({
      description:
        'Texts and values in plaintext. The statements contain only the SHA-256 of the canonical JSON of `[salt, name, value]` for each entry, so you can omit entries when you share the evidence.',
    }),
    signature: z
      .object({
        algorithm,
        key_id: z.string(),
        value: z.string().meta({ description: "Signature of the document's canonical JSON (RFC 8785), in Base64" }),
      })
      .nullable()
      .meta({ description: 'Null if the service has no signing key' }),
  })
  .meta({ id: 'Evidence' })

/** Proof of a decision: the content shown to each voter, and who answered what in which role. */
export type Evidence = z.output<typeof evidence>

const evidenceKey = z.object({
  key_id: z.string(),
  algorithm,
  public_key: z.string().meta({ description: 'Public key (PEM)' }),
  /** To verify older documents, use the other keys. */
  is_current: z.boolean().meta({ description: 'Whether new documents are signed with this key' }),
})
export type EvidenceKey = z.output<typeof evidenceKey>

export const evidenceKeys = z
  .object({
    data: z.array(evidenceKey),
  })
  .meta({ id: 'EvidenceKeys' })
