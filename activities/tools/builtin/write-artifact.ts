import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { ROOT } from '../../../domain/resources/paths.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { IdempotencyKeys, Idempotency } from '../../../services/shared/idempotency.ts'
import { appendContent, replaceContent } from '../../../services/resources/content.ts'
import { invalidArgumentsError } from '../errors.ts'
import { buildPrincipal } from '../principal.ts'
import type { Builtin } from './builtin.ts'
import { idempotencyFor } from './idempotency.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'
import type { ResourceView } from '../../../contract/resources/resource.ts'

export interface WriteArtifactDeps {
  resources: Pick<ResourcesService, 'read' | 'create' | 'edit'>
  idempotencyKeys: Pick<IdempotencyKeys, 'claim'>
}

interface Arguments {
  content: string
  title?: string
  path?: string
  id?: string
  mode?: 'append' | 'replace'
}

/** Thrown if the call's key was already used. */
class ArtifactExistsError extends Error {}

/** Writes an artifact once per key, no matter how many attempts are made. */
export function createWriteArtifact({ resources, idempotencyKeys }: WriteArtifactDeps): Builtin {
  async function change(
    principal: Principal,
    args: Arguments & { id: string },
    once: Idempotency,
  ): Promise<ResourceView> {
    const { id, content, mode = 'append' } = args
    try {
      return await resources.edit(
        principal,
        'artifacts',
        id,
        async (before, tx) => {
          const { isNew } = await idempotencyKeys.claim(tx, once, id)
          if (!isNew) throw new ArtifactExistsError()
          const change = mode === 'append' ? appendContent : replaceContent
          return { ...before, document: await change(tx, before.document, content) }
        },
        {},
      )
    } catch (error) {
      if (error instanceof ArtifactExistsError) return resources.read(principal, 'artifacts', id)
      throw error
    }
  }

  return async ({ args: rawArgs, idempotency_key, ...call }) => {
    const args = rawArgs as unknown as Arguments
    const { id, title, path = ROOT, content } = args
    const principal = buildPrincipal(call)
    const once = idempotencyFor('write_artifact', idempotency_key, rawArgs)
    if (id !== undefined) return presentArtifact(await change(principal, { ...args, id }, once))
    if (title === undefined) throw invalidArgumentsError([{ pointer: '/title', message: 'is required without id' }])
    return presentArtifact(await resources.create(principal, 'artifacts', { title, path, document: { content } }, once))
  }
}

function presentArtifact({ id, type, slug, title, path, version, document }: ResourceView): JsonValue {
  const { size } = document as { size: number }
  return { id, type, slug, title, path, version, size }
}
