import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '../../api/routing/route.ts'
import type { OpenApiDocument } from '../../client/generator/document.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { renderCommands } from './cli.ts'
import { renderClientMethods } from './client.ts'
import { renderErrors } from './errors.ts'
import { renderRoles, renderRoutes } from './permissions.ts'
import { fillRegions } from './regions.ts'
import { renderPlan, renderSecretSettings, renderSettings } from './settings.ts'

const FOLDER = 'docs/reference'

/** Fills the generated regions in the reference pages. Returns the pages by path in the repository. */
export async function generateReference(
  routes: readonly Route[],
  document: OpenApiDocument,
): Promise<Record<string, string>> {
  const regions = {
    settings: renderSettings(),
    'secret-settings': renderSecretSettings(),
    plan: renderPlan(),
    errors: renderErrors(),
    roles: renderRoles(),
    routes: renderRoutes(routes),
    commands: await renderCommands(),
    'client-methods': renderClientMethods(document),
  }
  const pages = readdirSync(join(CHECKOUT, FOLDER))
    .filter(file => file.endsWith('.md'))
    .map(file => [`${FOLDER}/${file}`, readFileSync(join(CHECKOUT, FOLDER, file), 'utf8')] as const)
    .filter(([, page]) => page.includes('<!-- generated: '))
  return Object.fromEntries(pages.map(([path, page]) => [path, fillRegions(page, regions)]))
}
