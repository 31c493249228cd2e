/** The folder in which Node keeps compiled modules, if the operator names one. */
export const findCompileCache = (): string | undefined => process.env['NODE_COMPILE_CACHE'] || undefined
