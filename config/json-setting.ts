import { readFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * Parses a setting that is JSON or the path of a file with JSON. Settings may be secret, so problems never quote
 * their content.
 * @param opening first character of the JSON, which distinguishes JSON from a path
 * @param description name of the JSON in error messages: `a JSON list`
 */
export const jsonSetting = (opening: '{' | '[', description: string) =>
  z.string().transform((text, context): unknown => {
    const refuse = (why: string) => {
      const message = `must be ${description}, or the path of a file that contains one: ${why}`
      context.issues.push({ code: 'custom', message, input: undefined })
      return z.NEVER
    }
    let json = text
    try {
      if (!text.trimStart().startsWith(opening)) json = readFileSync(text, 'utf8')
    } catch (error) {
      return refuse(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no path'})`)
    }
    try {
      return JSON.parse(json)
    } catch {
      return refuse('the text is not valid JSON')
    }
  })
