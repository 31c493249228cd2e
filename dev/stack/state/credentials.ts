import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CHECKOUT } from '../../machine/folders.ts'
import { run } from '../../machine/shell.ts'
import type { DevStack } from '../stack.ts'
import { writePrivate } from './state.ts'

const schema = z.object({
  base_url: z.string(),
  api_key: z.string(),
  workspace_id: z.string(),
  workspace_slug: z.string(),
  brain_id: z.string(),
})
const workspace = z.object({ id: z.string(), slug: z.string(), brain_id: z.string() })
const apiKey = z.object({ api_key: z.string() })
const link = z.object({ url: z.string() })
/** The owner of the demo workspace. */
const OWNER = ['--actor', 'user:demo', '--role', 'owner']

export type Credentials = z.infer<typeof schema>

export const credentialsFile = (stateDir: string): string => join(stateDir, 'credentials.json')

/**
 * Returns the demo workspace and its key, which are created once. If the API doesn't accept the stored credentials,
 * for example because the database is a different one, creates a new workspace with an unused slug.
 */
export async function demoCredentials(stateDir: string, stack: DevStack): Promise<Credentials> {
  const storedCredentials = readCredentials(stateDir)
  const isValid = storedCredentials && (await isKnown({ ...storedCredentials, base_url: stack.baseUrl }))
  const credentials = isValid ? { ...storedCredentials, base_url: stack.baseUrl } : await makeCredentials(stack)
  writePrivate(credentialsFile(stateDir), JSON.stringify(credentials, null, 2))
  return credentials
}

export function readCredentials(stateDir: string): Credentials | undefined {
  const file = credentialsFile(stateDir)
  if (!existsSync(file)) return undefined
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  return parsed.success ? parsed.data : undefined
}

async function isKnown(credentials: Credentials): Promise<boolean> {
  const response = await fetch(`${credentials.base_url}/v1/jobs?limit=1`, {
    headers: { authorization: `Bearer ${credentials.api_key}` },
    signal: AbortSignal.timeout(10_000),
  })
  await response.body?.cancel()
  return response.ok
}

async function makeCredentials(stack: DevStack): Promise<Credentials> {
  const demoWorkspace = await makeWorkspace(stack)
  const key = apiKey.parse(
    await cli(stack, ['api-key', 'create', '--workspace', demoWorkspace.slug, '--name', 'demo', ...OWNER]),
  )
  return {
    base_url: stack.baseUrl,
    api_key: key.api_key,
    workspace_id: demoWorkspace.id,
    workspace_slug: demoWorkspace.slug,
    brain_id: demoWorkspace.brain_id,
  }
}

/** Returns a sign-in link for the demo user. The link works once, within 15 minutes. */
export async function makeSignInLink(stack: DevStack, { workspace_slug }: Credentials): Promise<string> {
  const args = ['session', 'link', '--workspace', workspace_slug, ...OWNER]
  return link.parse(await cli(stack, args)).url
}

/**
 * Creates the workspace `demo`, or `demo-<time>` if a workspace with that slug remains from an earlier state
 * directory.
 */
async function makeWorkspace(stack: DevStack): Promise<z.infer<typeof workspace>> {
  const create = (slug: string) => cli(stack, ['workspace', 'create', '--name', 'Demo', '--slug', slug])
  try {
    return workspace.parse(await create('demo'))
  } catch {
    return workspace.parse(await create(`demo-${Date.now().toString(36)}`))
  }
}

async function cli(stack: DevStack, args: string[]): Promise<unknown> {
  const printed = await run(process.execPath, ['api/admin.ts', ...args, '--json'], {
    cwd: CHECKOUT,
    env: { ...stack.env, BASE_URL: stack.baseUrl },
    timeoutMs: 60_000,
  })
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
}
