import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { coreDefinitions } from '../../services/shared/core.ts'

/** The file of the built-in resources. */
export const CORE_FILE = fileURLToPath(new URL('../../deploy/core.json', import.meta.url))

/** Reads definitions of built-in resources. Throws where they are not valid. */
export const readCore = (file: string) => coreDefinitions.parse(JSON.parse(readFileSync(file, 'utf8')))
