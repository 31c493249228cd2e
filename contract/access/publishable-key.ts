import { z } from 'zod'
import { boundBrains, givenBrains, issued, name } from './credential.ts'

export const publishableKeyBody = z.strictObject({ name, ...givenBrains })

export const publishableKey = z
  .object({ id: z.uuid(), name: z.string(), ...boundBrains, ...issued })
  .meta({ id: 'PublishableKey' })

export type PublishableKeyView = z.output<typeof publishableKey>

export const createdPublishableKey = z
  .object({ id: z.uuid(), name: z.string(), publishable_key: z.string() })
  .meta({ id: 'CreatedPublishableKey' })

/** A new publishable key. `publishable_key` contains the key's text, which is not shown again. */
export type CreatedPublishableKey = z.output<typeof createdPublishableKey>
