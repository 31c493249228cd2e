import type { Logger } from 'pino'
import { isForWorkspace, type Secrets as Settings } from '../../config/secrets.ts'
import { findOwnSlug } from '../../data/access-store.ts'
import type { Database } from '../../data/database.ts'
import { createAllowList } from '../../services/outbound/address-rule.ts'
import { type Resolve, resolveBySystem, resolveHost } from '../../services/outbound/resolve.ts'
import { portOf } from '../../services/outbound/target.ts'
import { StepError } from '../../domain/step-error.ts'
import { createRedactor, type Redactor } from '../../domain/redactor.ts'

/** Headers with the values of secrets, and the redactor for responses. */
export interface Credentials {
  headers: Record<string, string>
  redactor: Redactor
}

export interface SecretUse {
  /** Names of secrets by header. */
  names: Record<string, string>
  url: string
  workspace_id: string
}

export interface Secrets {
  /** Throws StepError SECRET_NOT_AVAILABLE, naming secret and host, when a secret may not be sent to the URL. */
  credentialsFor(use: SecretUse): Promise<Credentials>
  /** Leaves out secrets that may not be sent to the URL. */
  permittedFor(use: SecretUse): Promise<Credentials>
}

interface Deps {
  db: Database
  secrets: Settings
  /** CIDRs of private addresses, each with all ports or one: only these may be sent secrets without TLS. */
  allow: string[]
  resolve?: Resolve
  log: Logger
}

/** Why a secret may not be sent. The caller is told the same for all; the operator reads the reason in the log. */
type Obstacle = 'no such secret' | 'not for this host' | 'not without TLS' | 'not for this workspace'

/** The configured secrets. Each is sent only to its hosts and only for its workspaces. */
export function createSecrets({ db, secrets, allow, resolve = resolveBySystem, log }: Deps): Secrets {
  const isListed = createAllowList(allow)

  /** Returns true when all addresses of the host are listed by the operator, with the port. */
  async function isPrivate(target: URL): Promise<boolean> {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    const found = await resolveHost(host, resolve).catch(() => [])
    return found.length > 0 && found.every(({ address }) => isListed(address, portOf(target)))
  }

  async function findObstacle(name: string, { url, workspace_id }: SecretUse): Promise<Obstacle | undefined> {
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    if (!secret) return 'no such secret'
    const target = URL.parse(url)
    if (!target || !secret.hosts.includes(target.host)) return 'not for this host'
    if (target.protocol !== 'https:' && !(await isPrivate(target))) return 'not without TLS'
    if (isForWorkspace(secret, workspace_id)) return undefined
    const slug = await db.inWorkspace(workspace_id, tx => findOwnSlug(tx, workspace_id))
    return slug !== undefined && isForWorkspace(secret, slug) ? undefined : 'not for this workspace'
  }

  async function collect(use: SecretUse, refused: (name: string) => void): Promise<Credentials> {
    const headers: Record<string, string> = {}
    for (const [header, name] of Object.entries(use.names)) {
      const reason = await findObstacle(name, use)
      if (reason === undefined) {
        headers[header] = secrets[name]?.value ?? ''
        continue
      }
      const { workspace_id, url } = use
      log.warn({ secret: name, reason, host: URL.parse(url)?.host, workspace_id }, 'sending a secret was refused')
      refused(name)
    }
    return { headers, redactor: createRedactor(Object.values(headers)) }
  }

  return {
    credentialsFor: use =>
      collect(use, name => {
        const host = URL.parse(use.url)?.host ?? 'this address'
        throw new StepError('SECRET_NOT_AVAILABLE', `The secret "${name}" is not available for ${host}`)
      }),
    permittedFor: use => collect(use, () => undefined),
  }
}
