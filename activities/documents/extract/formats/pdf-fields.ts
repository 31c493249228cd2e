/** An annotation from PDF.js: a form field, or text typed onto the page. */
interface Annotation {
  subtype?: string
  fieldName?: string | null
  fieldType?: string | null
  /** The human-readable label. */
  alternativeText?: string | null
  fieldValue?: unknown
  /** The value of this radio button or checkbox, in a field with several buttons. */
  buttonValue?: string | null
  exportValue?: string | null
  password?: boolean
  hidden?: boolean
  noView?: boolean
  annotationFlags?: number
  contentsObj?: { str?: string }
}

/** Flags that make an annotation invisible: hidden, and no view. */
const NOT_SHOWN = 2 | 32
const OFF = 'Off'

/** Returns a page's form values, each as a `name: value` line, and texts typed onto the page. */
export function listFieldValues(annotations: object[]): string[] {
  const lines = (annotations as Annotation[]).filter(isShown).flatMap(annotation => {
    const value = readValue(annotation)
    if (value === '') return []
    const name = (annotation.alternativeText || annotation.fieldName)?.trim()
    return annotation.subtype === 'Widget' && name ? `${name}: ${value}` : value
  })
  return [...new Set(lines)]
}

const isShown = ({ annotationFlags = 0, hidden, noView, password }: Annotation): boolean =>
  (annotationFlags & NOT_SHOWN) === 0 && !hidden && !noView && !password

function readValue({ subtype, fieldType, fieldValue, buttonValue, exportValue, contentsObj }: Annotation): string {
  if (subtype === 'FreeText') return contentsObj?.str?.trim() ?? ''
  if (subtype !== 'Widget' || fieldType === 'Sig') return ''
  const values = [fieldValue].flat().filter(value => typeof value === 'string')
  if (fieldType !== 'Btn') return values.join(', ').trim()
  const [value = OFF] = values
  const ownValue = buttonValue ?? exportValue ?? value
  return value === OFF || value !== ownValue ? '' : value
}
