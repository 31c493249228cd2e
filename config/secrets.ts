import { z } from 'zod'
import { MAX_SECRET_CHARS, SECRET_HOST, SECRET_VALUE } from '../domain/tools/secrets.ts'
import { jsonSetting } from './json-setting.ts'

/** A credential and the hosts that may receive it. */
const secret = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(MAX_SECRET_CHARS)
    .regex(SECRET_VALUE, 'must have only characters that are allowed in HTTP headers'),
  /** `host` or `host:port`, exactly as in the URLs that are called. */
  hosts: z
    .array(z.string().regex(SECRET_HOST, 'must be a host such as api.example.com or 10.0.0.7:8080, in lower case'))
    .min(1),
  /** Slugs or ids of the workspaces that may use the secret. Default: all workspaces. */
  workspaces: z.array(z.string().min(1)).min(1).optional(),
})

const secrets = z.record(z.string().min(1).max(500), secret)

export type Secrets = z.output<typeof secrets>

/** Whether a workspace, given by its id and slug, may use a secret. */
export const isForWorkspace = ({ workspaces }: z.output<typeof secret>, ...names: string[]): boolean =>
  workspaces === undefined || names.some(name => workspaces.includes(name))

/** Parses `SECRETS`: a JSON object, or the path of a file that contains one. Problems name fields, never values. */
export const secretsSetting = jsonSetting('{', 'a JSON object').pipe(secrets).default({})
