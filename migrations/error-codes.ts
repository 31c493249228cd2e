/** SQLSTATE codes. */
export const NO_SUCH_DATABASE = '3D000'
export const NO_SUCH_TABLE = '42P01'
export const NO_PRIVILEGE = '42501'
export const DUPLICATE_DATABASE = '42P04'
export const DUPLICATE_OBJECT = '42710'
export const UNIQUE_VIOLATION = '23505'
export const LOCK_NOT_AVAILABLE = '55P03'
export const DEADLOCK = '40P01'
export const QUERY_CANCELED = '57014'

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
