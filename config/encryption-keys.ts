import { z } from 'zod'
import { jsonSetting } from './json-setting.ts'

const KEY_BYTES = 32
const key = z
  .base64('must be base64')
  .transform(text => Buffer.from(text, 'base64'))
  .refine(bytes => bytes.length === KEY_BYTES, `must have ${KEY_BYTES} bytes`)

/**
 * Reads keys by id from a JSON object, or from the path of a file that contains one: `{"2026-11": "<32 bytes in
 * base64>"}`.
 */
export const encryptionKeysSetting = jsonSetting('{', 'a JSON object').pipe(
  z.record(z.string().regex(/^[\w.-]{1,100}$/, 'must have only letters, digits, dots, hyphens and underscores'), key),
)
