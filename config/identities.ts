import { z } from 'zod'
import { isActorName } from '../domain/access/principal.ts'

/** Sources that user names come from. */
export const USER_SOURCES = ['OIDC', 'JWT', 'OAUTH'] as const
type Source = (typeof USER_SOURCES)[number]

/** The part before the colon in a person's name. */
export const userPrefix = z
  .string()
  .refine(prefix => /^[a-z]{1,50}$/.test(prefix) && isActorName(`${prefix}:x`), {
    message: 'must have only lower-case letters, and must not be group, key, share or trigger',
  })
  .default('user')

type Settings = Record<`${Source}_USER_${'CLAIM' | 'PREFIX'}`, string> &
  Partial<Record<`${Source}_ISSUER`, string>> & { SAME_USERS: Source[] }

/**
 * Lists sources that could give two people the same name. The same claim from the same issuer always identifies the
 * same person.
 */
export function identityProblems(settings: Settings): [setting: string, message: string][] {
  const sources = USER_SOURCES.filter(source => settings[`${source}_ISSUER`] !== undefined)
  const isSame = (source: Source, other: Source) =>
    (settings[`${source}_ISSUER`] === settings[`${other}_ISSUER`] &&
      settings[`${source}_USER_CLAIM`] === settings[`${other}_USER_CLAIM`]) ||
    (settings.SAME_USERS.includes(source) && settings.SAME_USERS.includes(other))
  return sources.flatMap((source, i) =>
    sources
      .slice(0, i)
      .filter(other => settings[`${other}_USER_PREFIX`] === settings[`${source}_USER_PREFIX`] && !isSame(other, source))
      .map((other): [string, string] => [
        `${source}_USER_PREFIX`,
        `must differ from ${other}_USER_PREFIX, or SAME_USERS must list ${other} and ${source}. Otherwise, users from both sources could have the same name`,
      ]),
  )
}
