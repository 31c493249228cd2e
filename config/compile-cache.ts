interface CompileCache {
  NODE_COMPILE_CACHE?: string
}

/** Returns the environment with which another process finds compiled modules; empty unless the operator names their folder. */
export function readCompileCache(): CompileCache {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
}
