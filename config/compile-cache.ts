interface CompileCache {
  NODE_COMPILE_CACHE?: string
}

/**
 * Returns environment variables that let another process use the cache of compiled modules. Empty unless the operator
 * sets the cache folder.
 */
export function readCompileCache(): CompileCache {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
}
