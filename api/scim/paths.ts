export const SCIM_PATH = '/scim/v2'

export const isScimPath = (path: string): boolean => path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`)
