import { z } from 'zod'
import { PERMISSIONS, ROLE_NAMES } from '../../domain/access/permissions.ts'
import { flag } from '../shared/query.ts'
import { settings } from '../shared/settings.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

const MAX_URL = 2_000

export const signInQuery = z.object({
  workspace: line(100).meta({ description: 'Slug of the workspace' }),
  return_to: line(MAX_URL)
    .default('/console/')
    .meta({ description: 'The page after the sign-in, a path of this service' }),
})

const fromProvider = line(MAX_URL).optional()
/** What identity providers send back. The library checks it. */
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
  replace: z
    .boolean()
    .default(false)
    .meta({ description: '`true` ends the session of another person in this browser' }),
})
export const signInOptions = z
  .object({ oidc: z.boolean().meta({ description: 'Whether an identity provider signs people in' }) })
  .meta({ id: 'SignInOptions' })
export const endQuery = z.object({
  everywhere: flag.prefault('false').meta({ description: '`true` ends all sessions of the user' }),
})

export const sessionContext = z
  .object({
    actor: z.string(),
    role: z.enum(ROLE_NAMES),
    groups: z.array(z.string()),
    permissions: z.array(z.enum(PERMISSIONS)),
    workspace: z.object({ id: z.uuid(), slug: z.string() }),
    brains: z.array(z.object({ id: z.uuid(), name: z.string() })),
    default_brain_id: z.uuid().nullable(),
    csrf_token: z.string().meta({ description: 'For the header X-CSRF-Token of changing requests' }),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'SessionContext' })

/** What a signed-in user works with. */
export type SessionContext = z.output<typeof sessionContext>

export const sessionBoot = z
  .object({
    version: z.string(),
    session: sessionContext,
    settings,
    events_position: z.string().nullable().meta({
      description:
        'For `after` of `GET /v1/events/stream`, to get all changes of what is read later; null while that is not known',
    }),
  })
  .meta({ id: 'SessionBoot' })
