import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json/json.ts'

/**
 * Returns the URL of the first server of the innermost scope that has servers, with default values for its variables. A
 * relative URL is resolved against `base`; returns undefined for a URL that is not http or https.
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
