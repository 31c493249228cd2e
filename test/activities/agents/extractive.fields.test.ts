import { readFileSync } from 'node:fs'
import { amountsIn, parseNumber } from '../../../dev/extractive/fields/amounts.ts'
import { dateIn } from '../../../dev/extractive/fields/dates.ts'
import { fill } from '../../../dev/extractive/fields/fill.ts'
import { splitQuestion } from '../../../dev/extractive/prompt.ts'
import { createSource } from '../../../dev/extractive/text/source.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../../domain/shared/json/json.ts'

const freight = readFileSync(new URL('freight-invoice.txt', import.meta.url), 'utf8')

const read = (text: string, schema: JsonSchema): JsonValue | undefined =>
  fill(createSource({ question: '', context: text }), schema)

function one(text: string, name: string, property: JsonSchema, required = false): JsonValue | undefined {
  const filled = read(text, { type: 'object', properties: { [name]: property }, required: required ? [name] : [] })
  return (filled as JsonObject)[name]
}

const INVOICE: JsonSchema = {
  type: 'object',
  properties: {
    vendor: { type: 'string' },
    invoice_number: { type: 'string' },
    total: { type: 'number' },
    currency: { type: 'string' },
    due_date: { type: 'string', format: 'date' },
  },
  required: ['vendor', 'invoice_number', 'total', 'currency', 'due_date'],
}

describe('a real invoice', () => {
  const expected = {
    vendor: 'HANSEATIC FREIGHT & LOGISTICS GMBH',
    invoice_number: 'HFL-2026-00418',
    total: 20171.18,
    currency: 'EUR',
    due_date: '2026-03-29',
  }

  test('with three pages: the last total counts, not the amount carried forward', () => {
    expect(read(freight, INVOICE)).toEqual(expected)
  })

  test('follows a question in the prompt', () => {
    for (const message of [
      `Read this invoice: ${freight}`,
      `Read this invoice:\n\n${freight}`,
      `${freight}\n\nWhat must be paid?`,
    ]) {
      expect(fill(createSource(splitQuestion('You read invoices.', message)), INVOICE)).toEqual(expected)
    }
  })

  test('returns more than the usual five fields', () => {
    const properties = {
      subtotal: { type: 'number' },
      vat: { type: 'number' },
      customer: { type: 'string' },
      invoiceDate: { type: 'string' },
      purchase_order: { type: 'string' },
      customer_number: { type: 'string' },
      payment_terms: { type: 'string' },
      bic: { type: 'string' },
      discount: { type: 'number' },
    }
    expect(read(freight, { type: 'object', properties })).toEqual({
      subtotal: 17296.5,
      vat: 3220.61,
      customer: 'Northwind Trading B.V.',
      invoiceDate: '2026-02-27',
      purchase_order: 'PO-88127',
      customer_number: 'NW-3310',
      payment_terms: '30 days net',
      bic: 'HASPDEHHXXX',
      discount: -345.93,
    })
  })

  test('in American spelling, with headings above the values', () => {
    const text = [
      'ACME Tool Supply, Inc.',
      'Invoice #      Date          Due Date      Terms',
      '4471-B         02/11/2026    03/13/2026    Net 30',
      '',
      'Subtotal                          $1,180.00',
      'Sales tax (8.25%)                    $97.35',
      'AMOUNT DUE                        $1,277.35',
    ].join('\n')
    expect(read(text, INVOICE)).toEqual({
      vendor: 'ACME Tool Supply, Inc.',
      invoice_number: '4471-B',
      total: 1277.35,
      currency: 'USD',
      due_date: '2026-03-13',
    })
  })

  test('with a labeled vendor and continental numbers', () => {
    const text = 'RECHNUNG\nVendor: Müller & Söhne KG\nInvoice no. 2026/0077\nTotal: 1.234,50 EUR\nDue date: 14.04.2026'
    expect(read(text, INVOICE)).toEqual({
      vendor: 'Müller & Söhne KG',
      invoice_number: '2026/0077',
      total: 1234.5,
      currency: 'EUR',
      due_date: '2026-04-14',
    })
  })
})

describe('numbers', () => {
  test.each([
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
    ["1'234.50", 1234.5],
    ['1,234', 1234],
    ['1.234', 1234],
    ['1,234,567', 1234567],
    ['12,5', 12.5],
    ['0.15', 0.15],
    ['-345.93', -345.93],
    ['(12.00)', -12],
    ['1234567', 1234567],
  ])('%s is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value)
    expect(amountsIn(`EUR ${text}`).map(amount => amount.value)).toEqual([value])
  })

  test('percentages, dates and parts of codes are not numbers', () => {
    expect(amountsIn('2 % of 5% on 2026-03-29, HFL-2026-00418, 12:30')).toEqual([])
  })

  test('fields of type integer only accept whole numbers', () => {
    expect(one('Pallets: 12', 'pallets', { type: 'integer' })).toBe(12)
    expect(one('Weight: 12.5', 'weight', { type: 'integer' })).toBeUndefined()
  })

  test('for a total, the amount due takes precedence over subtotals', () => {
    const text = 'Total  100.00\nSubtotal  90.00\nTotal due  119.00\nTotal  7'
    expect(one(text, 'total', { type: 'number' })).toBe(119)
    expect(one('Page total 10.00\nTotal 20.00\n\fTotal 30.00', 'total', { type: 'number' })).toBe(30)
  })
})

describe('dates', () => {
  test.each([
    ['2026-03-29', '2026-03-29'],
    ['29 March 2026', '2026-03-29'],
    ['29th of March, 2026', '2026-03-29'],
    ['March 29, 2026', '2026-03-29'],
    ['Mar. 29 2026', '2026-03-29'],
    ['29.03.2026', '2026-03-29'],
    ['29/3/2026', '2026-03-29'],
    ['3/29/2026', '2026-03-29'],
    ['04/03/2026', '2026-03-04'],
  ])('%s is %s', (text, iso) => {
    expect(dateIn(`by ${text} at the latest`)).toBe(iso)
  })

  test('invalid dates are omitted', () => {
    expect(dateIn('31 February 2026')).toBeUndefined()
    expect(dateIn('version 1.2.3 of 4711')).toBeUndefined()
    expect(dateIn('04/03/2026', true)).toBe('2026-04-03')
  })
})

test.each([
  ['Total EUR 12.00', 'EUR'],
  ['12.00 CHF', 'CHF'],
  ['€12', 'EUR'],
  ['£ 12', 'GBP'],
  ['US$12 and $13', 'USD'],
  ['A$ 12', 'AUD'],
  ['Currency: SEK', 'SEK'],
  ['amounts are in euro', 'EUR'],
  ['THE END OF ALL DAYS', undefined],
])('the currency of "%s" is %s', (text, code) => {
  expect(one(text, 'currency', { type: 'string' })).toBe(code)
})

describe('other types', () => {
  test('booleans', () => {
    expect(one('Paid: yes', 'paid', { type: 'boolean' })).toBe(true)
    expect(one('Reverse charge   No', 'reverse_charge', { type: 'boolean' })).toBe(false)
    expect(one('Paid in cash', 'paid', { type: 'boolean' })).toBeUndefined()
  })

  test('options are found by label or mention', () => {
    const priority = { type: 'string', enum: ['low', 'in_between', 'high'] }
    expect(one('Priority: in between, not high, high, high', 'priority', priority)).toBe('in_between')
    expect(one('This is of high importance. Low noise though. High!', 'level', priority)).toBe('high')
    expect(one('nothing of the kind', 'level', priority)).toBeUndefined()
  })

  test('lists are found in one line or as bullets', () => {
    const list = { type: 'array', items: { type: 'string' } }
    expect(one('Tags: freight, customs; storage', 'tags', list)).toEqual(['freight', 'customs', 'storage'])
    expect(one('Attachments:\n- bill of lading\n- packing list\nRegards', 'attachments', list)).toEqual([
      'bill of lading',
      'packing list',
    ])
    expect(one('Weights: 12.5, 13', 'weights', { type: 'array', items: { type: 'number' } })).toEqual([12.5, 13])
  })

  test('objects within objects, references and alternatives are filled', () => {
    const schema = {
      type: 'object',
      $defs: { money: { type: 'object', properties: { total: { type: 'number' }, currency: { type: 'string' } } } },
      properties: {
        bill: { $ref: '#/$defs/money' },
        iban: { anyOf: [{ type: 'null' }, { type: 'string' }] },
        kind: { const: 'invoice' },
      },
    }
    expect(read('Total: GBP 5.00', schema)).toEqual({
      bill: { total: 5, currency: 'GBP' },
      iban: null,
      kind: 'invoice',
    })
  })

  test('missing values are null, omitted, or an empty text or list if required', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { type: 'string' },
        c: { type: 'number' },
        d: { type: 'array' },
        e: { type: 'string' },
        f: { type: 'string', default: 'none' },
      },
      required: ['a', 'b', 'c', 'd'],
    }
    expect(read('nothing here', schema)).toEqual({ a: null, b: '', d: [], f: 'none' })
  })

  test('an endless reference is cut off', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } } }
    expect(JSON.stringify(read('x', schema)).length).toBeLessThan(1_000)
  })
})
