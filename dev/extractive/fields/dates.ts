const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'

type Reader = (
  groups: string[],
  monthFirst: boolean,
) => [year: string | undefined, month: number, day: string | undefined]

const FORMS: [RegExp, Reader][] = [
  [/\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/, ([, year, month, day]) => [year, Number(month), day]],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)?[ -](?:of )?${MONTH},?[ -](\\d{4})\\b`, 'i'),
    ([, day, name, year]) => [year, parseMonth(name), day],
  ],
  [
    new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'i'),
    ([, name, day, year]) => [year, parseMonth(name), day],
  ],
  [
    /\b(\d{1,2})([./-])(\d{1,2})\2(\d{4})\b/,
    ([, a, mark, b, year], monthFirst) => {
      const swapped = Number(b) > 12 || (mark === '/' && monthFirst && Number(a) <= 12)
      return swapped ? [year, Number(a), b] : [year, Number(b), a]
    },
  ],
]

const parseMonth = (name: string | undefined): number => MONTHS.indexOf(name?.slice(0, 3).toLowerCase() ?? '') + 1

/**
 * Returns the first date in a text as `YYYY-MM-DD`. `03/04/2026` is April 3 unless `monthFirst` is set. A number
 * above 12 is always the day.
 */
export function dateIn(text: string, monthFirst = false): string | undefined {
  const read = FORMS.flatMap(([form, reader]) => {
    const match = form.exec(text)
    const iso = match && isoDate(...reader(match, monthFirst))
    return iso ? [{ at: match.index, iso }] : []
  })
  return read.sort((a, b) => a.at - b.at)[0]?.iso
}

function isoDate(year: string | undefined, month: number, day: string | undefined): string | undefined {
  const iso = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? undefined : iso
}
