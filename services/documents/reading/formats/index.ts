import type { TextType } from '../../known-types.ts'
import { csv } from './csv.ts'
import type { TextFormat } from './format.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { plain } from './plain.ts'

/** Formats that our own code or pure JavaScript reads, in linear time. */
export const TEXT_FORMATS: Record<TextType, TextFormat> = {
  'text/plain': plain,
  'text/markdown': markdown,
  'text/csv': csv,
  'application/json': json,
}
