import { type Amount, amountsIn } from './amounts.ts'
import { answer } from '../answer.ts'
import {
  isCurrency,
  isDate,
  isHeading,
  isMoney,
  isNumbered,
  isPassage,
  isSender,
  phrasesFor,
} from '../text/concepts.ts'
import { codeIn, currencyIn } from './currency.ts'
import { dateIn } from './dates.ts'
import { type Finding, findings, firstCell, labels } from './labels.ts'
import type { Source } from '../text/source.ts'
import { literally } from '../text/words.ts'

/** A property to fill, with its name and the hints that its schema gives. */
export interface Field {
  name: string
  title?: unknown
  format?: unknown
}

const MAX_VALUE_CHARS = 300

const listFindings = (source: Source, { name, title }: Field): Finding[] =>
  findings(source.layout, labels(phrasesFor(name, title)))

/**
 * Returns the best finding that can be parsed. Among equally good findings, returns the first one, or the last one
 * with `lastWins`.
 */
function best<T>(all: Finding[], read: (value: string) => T | undefined, lastWins = false): T | undefined {
  const readable = all.flatMap(finding => {
    const value = read(finding.value)
    return value === undefined ? [] : [{ value, finding }]
  })
  const order = lastWins ? -1 : 1
  return readable.sort((a, b) => b.finding.score - a.finding.score || order * (a.finding.row - b.finding.row))[0]?.value
}

export function readNumber(source: Source, field: Field, whole: boolean): number | undefined {
  const money = isMoney(field.name)
  return best(
    listFindings(source, field),
    text => {
      const amounts = amountsIn(dateIn(text) ? text.replaceAll(/\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/g, ' ') : text)
      const value = (money ? lastMoney(amounts) : amounts[0])?.value
      return value === undefined || (whole && !Number.isInteger(value)) ? undefined : value
    },
    money,
  )
}

const lastMoney = (amounts: Amount[]): Amount | undefined => amounts.findLast(amount => amount.money) ?? amounts.at(-1)

export function readBoolean(source: Source, field: Field): boolean | undefined {
  return best(listFindings(source, field), text => {
    if (/^(?:yes|y|true|on|x|✓|✔|\[x\]|☑|checked)(?![\p{L}])/iu.test(text)) return true
    return /^(?:no|n|false|off|none|\[ \]|☐|unchecked)(?![\p{L}])/iu.test(text) ? false : undefined
  })
}

/** Returns the option after the label, otherwise the option that the text names most often. */
export function readOption(source: Source, field: Field, options: string[]): string | undefined {
  const spelled = options.map(option => ({
    option,
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])${asWords(option)}(?![\\p{L}\\p{N}])`, 'giu'),
  }))
  const labelled = best(
    listFindings(source, field),
    text => spelled.find(({ pattern }) => text.search(pattern) >= 0)?.option,
  )
  if (labelled !== undefined) return labelled
  const counted = spelled.map(({ option, pattern }) => ({ option, count: source.context.match(pattern)?.length ?? 0 }))
  return counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)[0]?.option
}

const asWords = (option: string): string =>
  option
    .split(/[\s_-]+/)
    .map(literally)
    .join('[\\s_-]+')

export function readString(source: Source, field: Field): string | undefined {
  const { name, format } = field
  if (format === 'date-time') return withTime(readDate(source, field))
  if (format === 'date' || isDate(name)) return readDate(source, field)
  if (isCurrency(name))
    return best(listFindings(source, field), text => codeIn(text) ?? currencyIn(text)) ?? currencyIn(source.context)
  if (isNumbered(name)) return best(listFindings(source, field), numberedIn)
  if (isPassage(name)) return answer(source)
  const labelled = best(listFindings(source, field), text => firstCell(text).slice(0, MAX_VALUE_CHARS) || undefined)
  return labelled ?? (isSender(name) || isHeading(name) ? letterhead(source) : undefined)
}

const readDate = (source: Source, field: Field): string | undefined =>
  best(listFindings(source, field), text => dateIn(text, source.monthFirst))

const withTime = (date: string | undefined): string | undefined => date && `${date}T00:00:00Z`

/** Returns a value such as `INV-2026/118`: a single word that contains a digit and directly follows the label. */
function numberedIn(text: string): string | undefined {
  const [word = ''] = firstCell(text).split(/\s/)
  return /\d/.test(word) ? word.replace(/[,;.]+$/, '') : undefined
}

/** Returns the sender's name, which is at the top of a document without a label. */
function letterhead({ layout }: Source): string | undefined {
  const first = layout
    .flat()
    .find(
      ({ text }) =>
        !/^(?:(?:tax |sales |pro forma )?invoice|page|bill|receipt|date)\b/i.test(text) && /\p{L}{2}/u.test(text),
    )
  return first?.text.slice(0, MAX_VALUE_CHARS)
}
