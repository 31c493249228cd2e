import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { isNode, listChildren, type Node, parseSource } from './syntax.ts'

const FILES =
  '{api,contract,domain,services,data,search,streams,workflows,activities,config,observability,console,cli/src,client/src,dev}/**/*.{ts,tsx}'

/** Participles and pronouns that say nothing about a value. */
const NAMES =
  /^(?:asked|found|gone|kept|known|made|saved|saving|seen|sent|shown|taken|told|wanted|theirs|whose|what|who|anything|nothing|something|anybody|nobody|somebody)$/i

/** Lists variables and parameters with such a name. Returns the report, or undefined if there are none. */
export function lintNames(): string | undefined {
  const files = globSync(FILES, { cwd: CHECKOUT, exclude: ['**/generated/**'] })
  const problems = files.flatMap(file => {
    const source = readFileSync(join(CHECKOUT, file), 'utf8')
    return listVariables(parseSource(file, source).program)
      .filter(({ name }) => NAMES.test(String(name)))
      .map(
        ({ name, start }) =>
          `${file}:${source.slice(0, start).split('\n').length}: Name "${String(name)}" by what it is`,
      )
  })
  return problems.length > 0 ? problems.join('\n') : undefined
}

function listVariables(node: Node): Node[] {
  const own =
    node.type === 'VariableDeclarator'
      ? listNames(node.id)
      : Array.isArray(node.params)
        ? node.params.flatMap(listNames)
        : []
  return [...own, ...listChildren(node).flatMap(listVariables)]
}

/** The identifiers that a pattern declares. */
function listNames(pattern: unknown): Node[] {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [pattern]
  if (pattern.type === 'ObjectPattern')
    return (pattern.properties as Node[]).flatMap(({ type, value, argument }) =>
      listNames(type === 'RestElement' ? argument : value),
    )
  if (pattern.type === 'ArrayPattern') return (pattern.elements as unknown[]).flatMap(listNames)
  if (pattern.type === 'AssignmentPattern') return listNames(pattern.left)
  return listNames(pattern.argument)
}
