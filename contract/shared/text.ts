import { z } from 'zod'
import { ACTOR_SCHEMA, isActorName, PRINCIPAL, PRINCIPAL_RULE } from '../../domain/access/principal.ts'
import { INVISIBLE, invisibleProblem } from '../../domain/shared/text/invisible.ts'

const PRINTABLE = /^\P{Cc}+$/u

/** One line of text, such as an id, a slug or a name. */
export const line = (longest = 200) =>
  z.string().max(longest).regex(PRINTABLE, 'must be text without control characters')

/** One line of text that people read before they make a decision or open something, such as a file name. */
export const visibleLine = (longest = 200) =>
  line(longest)
    .superRefine((text, context) => {
      const message = invisibleProblem(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .meta({ pattern: `^[^\\p{Cc}${INVISIBLE}]+$` })

/** The name of a person, such as `user:ann`. */
export const person = z.string().max(200).refine(isActorName, 'must be a person such as user:ann').meta(ACTOR_SCHEMA)
/** The name of a person, a group or a service key. */
export const principalName = z.string().max(200).regex(PRINCIPAL, PRINCIPAL_RULE)
