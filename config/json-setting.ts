import { readFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * Parses a setting that is JSON, or the path of a file with it.
 * @param opening the first character of the JSON, by which it is told from a path
 * @param what names the JSON in the message for other text: `a JSON list`
 */
export const jsonSetting = (opening: '{' | '[', what: string) =>
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text.trimStart().startsWith(opening) ? text : readFileSync(text, 'utf8'))
    } catch (error) {
      const why = (error as Error).message
      context.addIssue({ code: 'custom', message: `must be ${what}, or the path of a file with one: ${why}` })
      return z.NEVER
    }
  })
