import { ERROR_CODES } from '../../domain/shared/errors.ts'
import { code, renderTable } from './regions.ts'

/** Renders the table of API error codes. */
export const renderErrors = (): string =>
  renderTable(
    ['Status', 'Code', 'Meaning'],
    Object.entries(ERROR_CODES)
      .toSorted(([, a], [, b]) => a.status - b.status)
      .map(([name, { status, meaning }]) => [String(status), code(name), meaning]),
  )
