import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { coreDefinitions } from '../../services/shared/core.ts'

/** File with the built-in resources. */
export const CORE_FILE = fileURLToPath(new URL('../../deploy/core.json', import.meta.url))

/** Reads the definitions of built-in resources. Throws if they are invalid. */
export const readCore = (file: string) => coreDefinitions.parse(JSON.parse(readFileSync(file, 'utf8')))
