import {
  encryptedDocumentError,
  unsupportedDocumentError,
} from '../../../../services/documents/reading/document-error.ts'

/** The first bytes of encrypted documents and legacy Office files. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le')

/**
 * Throws for an encrypted document, and for a legacy Office document, which the user should save in the given format.
 */
export function refuseCompoundFile(file: Buffer, format: 'DOCX' | 'XLSX'): void {
  if (!file.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) return
  if (file.includes(ENCRYPTED_STREAM)) throw encryptedDocumentError('document')
  const program = format === 'DOCX' ? 'Word' : 'Excel'
  throw unsupportedDocumentError(`The file is in a legacy ${program} format; save it as ${format}`)
}
