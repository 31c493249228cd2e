import type { Database } from '../../data/database.ts'
import { ValidationError } from '../../domain/errors.ts'
import { dryRun } from '../../domain/pathway/dry-run.ts'
import { compileSchema } from '../../domain/schemas/json-schema.ts'
import { atTopLevel } from '../resources/at-top-level.ts'
import { requireHead } from '../resources/finding.ts'
import type { ResourcesService } from '../resources/types.ts'
import { pathwayView, type PathwayDocument } from './document.ts'
import { checkDefinition } from './rule.ts'
import type { PathwayFields, PathwaysService } from './types.ts'

interface Deps {
  db: Database
  resources: ResourcesService
}

const KIND = 'pathways'

/** Pathways as a product: the spine's rows in a shape of their own, and the dry run. */
export function createPathways({ db, resources }: Deps): PathwaysService {
  return {
    async list(who, page) {
      const { data, total } = await resources.list(who, KIND, page)
      return { data: data.map(pathwayView), total }
    },

    async create(who, fields, idempotency) {
      const { description, definition, ...head } = fields
      const document = { description, definition }
      return pathwayView(await resources.create(who, KIND, { ...head, document }, idempotency).catch(atTopLevel))
    },

    read: async (who, idOrSlug, version) => pathwayView(await resources.read(who, KIND, idOrSlug, version)),

    async patch(who, idOrSlug, { note, ...fields }, expected_version) {
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
      if (Object.keys(given).length === 0) throw new ValidationError('There is nothing to change')
      const { description, definition, ...head } = given as PathwayFields
      const document = { ...('description' in given && { description }), ...('definition' in given && { definition }) }
      const saving = resources.edit(
        who,
        KIND,
        idOrSlug,
        before => ({ ...before, ...head, document: { ...before.document, ...document } }),
        { expected_version, note },
      )
      return pathwayView(await saving.catch(atTopLevel))
    },

    remove: (who, idOrSlug) => resources.remove(who, KIND, idOrSlug),

    restore: async (who, idOrSlug) => pathwayView(await resources.restore(who, KIND, idOrSlug)),

    history: (who, idOrSlug, page) => resources.history(who, KIND, idOrSlug, page),

    async dryRun(who, idOrSlug, { input, outputs, definition: sent }) {
      const definition = await db.inWorkspace(who.workspace_id, async tx => {
        const { document } = await requireHead(tx, who, { kind: KIND, idOrSlug })
        return sent === undefined ? (document as PathwayDocument).definition : checkDefinition(tx, who, sent)
      })
      const schema = definition.input && compileSchema(definition.input)
      const problems = schema && 'validate' in schema ? schema.validate(input ?? null, '/input') : []
      if (problems.length > 0) throw new ValidationError('The input does not fit the pathway', problems)
      return dryRun(definition, { input, outputs })
    },
  }
}
