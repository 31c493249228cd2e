import { isForWorkspace, type Secrets } from '../../config/secrets.ts'
import type { Problem } from '../../domain/json.ts'
import { toPointer } from '../../domain/zod-problems.ts'
import type { Principal } from '../../domain/principal.ts'

/** Warns of the secrets that a reflex names and that are not configured for the workspace. Names of others are not told. */
export function missingSecrets(
  named: Record<string, string>,
  secrets: Secrets,
  { workspace_id, workspace_slug }: Principal,
): Problem[] {
  const isConfigured = (name: string): boolean => {
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    return secret !== undefined && isForWorkspace(secret, workspace_id, workspace_slug)
  }
  return Object.entries(named).flatMap(([header, name]) =>
    isConfigured(name)
      ? []
      : [
          {
            pointer: toPointer(['secrets', header]),
            message: `there is no secret "${name}" for this workspace: calls fail until an operator adds it to SECRETS`,
          },
        ],
  )
}
