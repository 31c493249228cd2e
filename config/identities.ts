import { z } from 'zod'
import { isActorName } from '../domain/access/principal.ts'

/** Where names of people come from. */
export const USER_SOURCES = ['OIDC', 'JWT', 'OAUTH'] as const
type Source = (typeof USER_SOURCES)[number]

/** What is before the colon in the name of a person. */
export const userPrefix = z
  .string()
  .refine(prefix => /^[a-z]{1,50}$/.test(prefix) && isActorName(`${prefix}:x`), {
    message: 'must have lower-case letters, and be neither group, key, share nor trigger',
  })
  .default('user')

type Settings = Record<`${Source}_USER_${'CLAIM' | 'PREFIX'}`, string> &
  Partial<Record<`${Source}_ISSUER`, string>> & { SAME_USERS: Source[] }

/** Lists the sources that could give two people one name. One claim of one issuer names the same person everywhere. */
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
        `must differ from ${other}_USER_PREFIX, or SAME_USERS must list ${other} and ${source}: users of both could have one name`,
      ]),
  )
}
