const listed = (text: string): string[] => text.split(/,\s*/)

/** For known properties, the labels that documents use, best first. */
const CONCEPTS: [RegExp, string[]][] = [
  [
    /^(?:grand_)?total(?:_amount|_due|_payable)?$|^(?:amount|balance)(?:_due|_total|_payable)$|^invoice_total$/,
    listed(`total due, amount due, grand total, balance due, total amount due, total payable, amount payable, total to pay,
      invoice total, total amount, total incl, total`),
  ],
  [
    /^sub_?total|^net(?:_amount|_total)?$/,
    ['subtotal', 'sub total', 'net amount', 'net total', 'total net', 'total excl'],
  ],
  [/^(?:vat|tax)(?:_amount|_total)?$/, ['vat', 'tax', 'sales tax', 'total vat', 'total tax', 'mwst']],
  [
    /^(?:vendor|supplier|seller|merchant|issuer)(?:_name)?$/,
    ['vendor', 'supplier', 'seller', 'issued by', 'sold by', 'bill from', 'from', 'remit to', 'payee'],
  ],
  [
    /^(?:customer|buyer|client|recipient|bill_to)(?:_name)?$/,
    ['bill to', 'billed to', 'invoice to', 'sold to', 'customer', 'client', 'buyer', 'to'],
  ],
  [/^invoice_(?:number|no|nr|id)$/, ['invoice number', 'invoice id', 'invoice', 'document number', 'bill number']],
  [
    /^(?:po|order|purchase_order)(?:_(?:number|no|id))?$/,
    ['purchase order number', 'po number', 'purchase order', 'order number', 'po'],
  ],
  [
    /^(?:payment_)?due(?:_date|_on|_by)?$/,
    ['due date', 'payment due date', 'payment due', 'due on', 'due by', 'pay by', 'date due', 'due'],
  ],
  [
    /^(?:invoice_|issue_)?date$|^issued(?:_on|_at)?$/,
    ['invoice date', 'issue date', 'date of issue', 'issued on', 'issued', 'date'],
  ],
]

/** Converts a name to snake case, so that "dueDate", "due-date" and "due_date" compare as equal. */
export const snake = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase()

/** Returns the labels for a property. Unless the property is a known concept, the words of its own name come first. */
export function phrasesFor(name: string, title: unknown): string[] {
  const phrase = snake(name).replaceAll('_', ' ')
  const synonyms = CONCEPTS.find(([pattern]) => pattern.test(snake(name)))?.[1] ?? []
  const titled = typeof title === 'string' && title.length < 60 ? [title.toLowerCase()] : []
  return [...new Set(synonyms.length > 0 ? [...synonyms, phrase, ...titled] : [phrase, ...titled])]
}

export const isSender = (name: string): boolean =>
  /^(?:vendor|supplier|seller|merchant|issuer)(?:_name)?$/.test(snake(name))
export const isHeading = (name: string): boolean => /^(?:title|subject|heading)$/.test(snake(name))
export const isCurrency = (name: string): boolean => /(?:^|_)currency(?:_code)?$/.test(snake(name))
export const isMoney = (name: string): boolean =>
  /(?:^|_)(?:total|amount|price|sum|cost|fee|balance|tax|vat|net|gross|subtotal|due)(?:_|$)/.test(snake(name))
export const isNumbered = (name: string): boolean =>
  /(?:^|_)(?:number|no|nr|id|code|reference|ref|iban|sku)$/.test(snake(name))
export const isDate = (name: string): boolean =>
  /(?:^|_)(?:date|deadline|issued|due)(?:_(?:on|at|by))?$/.test(snake(name))
/** Returns true for a property whose value is a passage of text rather than a labeled value. */
export const isPassage = (name: string): boolean =>
  /^(?:answer|text|reply|response|summary|reason|rationale|quote|excerpt)$/.test(snake(name))
