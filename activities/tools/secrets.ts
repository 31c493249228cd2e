import type { Logger } from 'pino'
import { createAllowList } from '../../services/tools/outbound/address-rule.ts'
import { type Resolve, resolveBySystem, resolveHost } from '../../services/tools/outbound/resolve.ts'
import { portOf } from '../../services/tools/outbound/target.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { createRedactor, type Redactor } from '../../domain/tools/redactor.ts'
import type { SecretObstacle, SecretSource, UsableSecret } from '../../services/tools/secrets/secret-source.ts'

/** Headers with secret values, and the redactor for responses. */
export interface Credentials {
  headers: Record<string, string>
  redactor: Redactor
}

export interface SecretUse {
  /** Secret names by header. */
  names: Record<string, string>
  url: string
  workspace_id: string
}

export interface Secrets {
  /**
   * Throws StepError SECRET_NOT_AVAILABLE, which names the secret and host, if a secret must not be sent to the URL.
   */
  credentialsFor(use: SecretUse): Promise<Credentials>
  /** Omits secrets that must not be sent to the URL. */
  permittedFor(use: SecretUse): Promise<Credentials>
}

interface Deps {
  source: Pick<SecretSource, 'find'>
  /**
   * CIDRs of private addresses, each with all ports or a single port. Only these addresses may receive secrets
   * without TLS.
   */
  allow: string[]
  resolve?: Resolve
  log: Logger
}

/**
 * The reason why a secret must not be sent. The caller gets the same message for all reasons, and the operator finds
 * the reason in the log.
 */
type Obstacle = SecretObstacle | 'not for this host' | 'not without TLS'

/**
 * Creates access to the operator's and workspaces' secrets. Each secret is sent only to its hosts, and only for its
 * workspace.
 */
export function createSecrets({ source, allow, resolve = resolveBySystem, log }: Deps): Secrets {
  const isListed = createAllowList(allow)

  /** Returns true if the operator has listed all of the host's addresses with the given port. */
  async function isPrivate(target: URL): Promise<boolean> {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    const addresses = await resolveHost(host, resolve).catch(() => [])
    return addresses.length > 0 && addresses.every(({ address }) => isListed(address, portOf(target)))
  }

  async function findObstacle({ hosts }: UsableSecret, url: string): Promise<Obstacle | undefined> {
    const target = URL.parse(url)
    if (!target || !hosts.includes(target.host)) return 'not for this host'
    return target.protocol === 'https:' || (await isPrivate(target)) ? undefined : 'not without TLS'
  }

  async function collect(use: SecretUse, refused: (name: string) => void): Promise<Credentials> {
    const { names, url, workspace_id } = use
    const headers: Record<string, string> = {}
    const results = await source.find(workspace_id, Object.values(names))
    for (const [header, name] of Object.entries(names)) {
      const secret = results.get(name) ?? 'no such secret'
      const reason = typeof secret === 'string' ? secret : await findObstacle(secret, url)
      if (typeof secret !== 'string' && reason === undefined) {
        headers[header] = secret.value
        continue
      }
      log.warn({ secret: name, reason, target_host: URL.parse(url)?.host, workspace_id }, 'refused to send a secret')
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
