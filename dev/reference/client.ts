import { type ClientOperation, listOperations, type OpenApiDocument } from '../../client/generator/document.ts'
import { code, renderTable } from './regions.ts'

/** Renders the methods of the TypeScript client, with one table per group. */
export function renderClientMethods(document: OpenApiDocument): string {
  const groups = Map.groupBy(listOperations(document), ({ noun }) => noun)
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(
      ([noun, operations]) =>
        `### ${noun}\n\n${renderTable(['Method', 'Route', 'Summary'], operations.map(describeMethod))}`,
    )
    .join('\n\n')
}

function describeMethod({ id, method, path, summary, pathParameters, takes, isRequired }: ClientOperation): string[] {
  const args = [...pathParameters, ...(takes ? [isRequired ? takes : `${takes}?`] : [])]
  return [code(`${id}(${args.join(', ')})`), code(`${method.toUpperCase()} ${path}`), summary]
}
