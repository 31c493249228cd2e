/** `D:20240131093000+01'00'` */
const PDF_DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-]\d\d)'?(\d\d)?|Z)?/

interface MetadataSource {
  getMetadata(): Promise<{ info: object }>
}

/** Returns the metadata of a PDF, or none when that part is damaged. */
export async function readMetadata(document: MetadataSource): Promise<Record<string, string | undefined>> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const text = (key: string) => asText((info as Record<string, unknown>)[key])
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    language: text('Language'),
    created: isoDate(text('CreationDate')),
    modified: isoDate(text('ModDate')),
  }
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function isoDate(text?: string): string | undefined {
  const parts = PDF_DATE.exec(text ?? '')
  if (!parts) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone, zoneMinute = '00'] = parts
  const offset = zone ? `${zone}:${zoneMinute}` : 'Z'
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
