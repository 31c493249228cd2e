/** SQLSTATE codes. */
export const NO_SUCH_DATABASE = '3D000'
export const DUPLICATE_DATABASE = '42P04'
export const DUPLICATE_OBJECT = '42710'
export const UNIQUE_VIOLATION = '23505'

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
