import { type ClientOperation, listOperations, type OpenApiDocument } from '../../client/generator/document.ts'
import { code, renderGroups } from './regions.ts'

/** Renders the methods of the TypeScript client, with one table per group. */
export const renderClientMethods = (document: OpenApiDocument): string =>
  renderGroups(listOperations(document), ({ noun }) => noun, ['Method', 'Route', 'Summary'], describeMethod)

function describeMethod({ id, method, path, summary, pathParameters, takes, isRequired }: ClientOperation): string[] {
  const args = [...pathParameters, ...(takes ? [isRequired ? takes : `${takes}?`] : [])]
  return [code(`${id}(${args.join(', ')})`), code(`${method.toUpperCase()} ${path}`), summary]
}
