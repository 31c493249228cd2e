import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'

/**
 * The address of the first server that is named nearest to an operation, with its variables at their defaults. One that
 * is relative is below the address the description came from. Undefined where none is http or https.
 */
export function findServerUrl(scopes: JsonObject[], base: string | undefined): string | undefined {
  const [servers] = scopes.flatMap(({ servers }) => (Array.isArray(servers) && servers.length > 0 ? [servers] : []))
  const [first]: JsonValue[] = servers ?? (base === undefined ? [] : [{ url: '/' }])
  if (!isJsonObject(first) || typeof first.url !== 'string') return undefined
  const url = URL.parse(fillVariables(first.url, first.variables), base)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.href.replace(/\/+$/, '')
}

const fillVariables = (url: string, variables: JsonValue | undefined): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isJsonObject(variables) ? variables[name] : undefined
    return isJsonObject(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
