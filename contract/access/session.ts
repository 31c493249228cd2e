import { z } from 'zod'
import { PERMISSIONS, ROLE_NAMES } from '../../domain/access/permissions.ts'
import { flag } from '../shared/query.ts'
import { settings } from '../shared/settings.ts'
import { profileFields } from './member.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const MAX_URL = 2_000

export const signInQuery = z.object({
  workspace: line(100).meta({ description: 'Slug of the workspace' }),
  return_to: line(MAX_URL).default('/console/').meta({ description: 'Path on this service to open after sign-in' }),
})

const fromProvider = line(MAX_URL).optional()
/** Parameters that identity providers return. The OpenID Connect library validates them. */
export const callbackQuery = z.object({
  state: line(MAX_URL),
  code: fromProvider,
  iss: fromProvider,
  session_state: fromProvider,
  scope: fromProvider,
  error: fromProvider,
  error_description: fromProvider,
  error_uri: fromProvider,
})
export const linkBody = z.strictObject({
  token: line(),
  replace: z.boolean().default(false).meta({ description: "`true` replaces another person's session in this browser" }),
})
export const signInOptions = z
  .object({ oidc: z.boolean().meta({ description: 'Whether people sign in through an identity provider' }) })
  .meta({ id: 'SignInOptions' })
export const endQuery = z.object({
  everywhere: flag.prefault('false').meta({ description: '`true` ends all sessions of the user' }),
})

export const sessionContext = z
  .object({
    actor: z.string(),
    role: z.enum(ROLE_NAMES),
    groups: z.array(z.string()),
    ...profileFields,
    permissions: z.array(z.enum(PERMISSIONS)),
    workspace: z.object({ id: z.uuid(), slug: z.string() }),
    brains: z.array(z.object({ id: z.uuid(), name: z.string() })),
    default_brain_id: z.uuid().nullable(),
    csrf_token: z
      .string()
      .meta({ description: 'Value of the X-CSRF-Token header, which is required for requests that change data' }),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'SessionContext' })

/** Data that the console needs for a signed-in user. */
export type SessionContext = z.output<typeof sessionContext>

export const sessionBoot = z
  .object({
    version: z.string(),
    session: sessionContext,
    settings,
    events_position: z.string().nullable().meta({
      description:
        'Position to pass as `after` to `GET /v1/events/stream`. From there, the stream contains all changes to data you read later. Null while unknown.',
    }),
  })
  .meta({ id: 'SessionBoot' })
