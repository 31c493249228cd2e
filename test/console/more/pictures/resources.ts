import { edges } from '../../../support/runs/runs.ts'

/** Invoices from vendors, as the model reads them. */
export const INVOICES = [
  { number: 'KO-0952', vendor: 'Kessler Office', total: '€642.90', order: 'PO-2204', due: '2026-12-03' },
  { number: 'BH-3381', vendor: 'Blue Harbour Logistics', total: '€3,275.50', order: 'PO-2219', due: '2026-12-05' },
  { number: 'NT-20417', vendor: 'Nordwind Timber', total: '€12,480.00', order: 'PO-2231', due: '2026-12-15' },
  { number: 'LM-77', vendor: 'Lumen Studio', total: '€1,890.00', order: 'PO-2240', due: '2026-12-18' },
]

const text = { type: 'string' }
const object = (...required: string[]) => ({
  type: 'object',
  required,
  properties: Object.fromEntries(required.map(name => [name, text])),
})
const define = (nodes: object[], ...lines: string[]) => ({ schema: 'pathway/1', nodes, edges: edges(...lines) })

export const invoices = (shopUrl: string) => ({
  slug: 'invoices',
  title: 'Invoices',
  definition: {
    ...define(
      [
        {
          id: 'read',
          type: 'neuron',
          title: 'Read the invoice',
          with: { message: 'Read invoice ${input.number}', schema: object('vendor', 'total', 'order', 'due') },
        },
        {
          id: 'order',
          type: 'http',
          title: 'Find the order',
          with: { url: `${shopUrl}/orders/\${nodes.read.output.data.order}` },
        },
        {
          id: 'vendor',
          type: 'http',
          title: 'Check the vendor',
          with: { url: `${shopUrl}/vendors`, query: { name: '${input.vendor}' } },
        },
        { id: 'compare', type: 'join', title: 'Compare', mode: 'all' },
        {
          id: 'review',
          type: 'human',
          kind: 'approval',
          title: 'Pay ${nodes.read.output.data.total} to ${input.vendor}?',
          description: 'The order and the vendor match.',
          assignees: ['user:ann.ito', 'group:finance'],
          due: 'P2D',
          context: {
            vendor: '${input.vendor}',
            invoice: '${input.number}',
            amount: '${nodes.read.output.data.total}',
            order: '${nodes.read.output.data.order}',
            due: '${nodes.read.output.data.due}',
          },
        },
        {
          id: 'pay',
          type: 'http',
          title: 'Pay the vendor',
          with: { method: 'POST', url: `${shopUrl}/payments/\${input.number}`, json: '${nodes.read.output.data}' },
          timeout: 'PT1H',
        },
        { id: 'paid', type: 'end', title: 'Paid', output: { payment: '${nodes.pay.output.body.payment}' } },
        { id: 'refused', type: 'end', title: 'Refused' },
      ],
      'read > order',
      'read > vendor',
      'order > compare',
      'vendor > compare',
      'compare > review',
      'review.approve > pay',
      'review.reject > refused',
      'review.timeout > refused',
      'pay > paid',
    ),
    input: object('number', 'vendor'),
    run_title: '${input.vendor}, ${input.number}',
  },
})

export const refunds = (shopUrl: string) => ({
  slug: 'refunds',
  title: 'Refunds',
  definition: {
    ...define(
      [
        {
          id: 'order',
          type: 'http',
          title: 'Find the order',
          with: { url: `${shopUrl}/orders/\${input.order}` },
        },
        {
          id: 'review',
          type: 'human',
          kind: 'approval',
          title: 'Refund ${input.amount} to ${input.customer}?',
          assignees: ['user:ann.ito'],
          due: 'PT4H',
          context: '${nodes.order.output.body}',
        },
        { id: 'refunded', type: 'end', title: 'Refunded' },
        { id: 'refused', type: 'end', title: 'Refused' },
      ],
      'order > review',
      'review.approve > refunded',
      'review.reject > refused',
      'review.timeout > refused',
    ),
    input: object('order', 'customer', 'amount'),
    run_title: 'Refund for order ${input.order}',
  },
})

/** The text in the editor picture, with a mistake: an edge leads to a node that doesn't exist. */
export const brokenRefunds = JSON.stringify(
  {
    schema: 'pathway/1',
    nodes: [
      {
        id: 'order',
        type: 'http',
        title: 'Find the order',
        with: { url: 'https://shop.example/orders/${input.order}' },
      },
      {
        id: 'review',
        type: 'human',
        kind: 'approval',
        title: 'Approve the refund',
        assignees: ['group:finance'],
      },
      { id: 'refund', type: 'http', title: 'Refund', with: { method: 'POST', url: 'https://shop.example/refunds' } },
      { id: 'refunded', type: 'end', title: 'Refunded' },
      { id: 'refused', type: 'end', title: 'Refused' },
    ],
    edges: edges('order > review', 'review.approve > refund', 'review.reject > rejected', 'refund > refunded'),
  },
  null,
  2,
)

export const onboarding = {
  slug: 'supplier-onboarding',
  title: 'Supplier onboarding',
  definition: {
    ...define(
      [
        {
          id: 'bank',
          type: 'human',
          kind: 'form',
          title: 'Enter the bank details of ${input.company}',
          assignees: ['group:finance'],
          due: 'P5D',
          form: object('iban', 'bank'),
        },
        { id: 'onboarded', type: 'end', title: 'Onboarded' },
        { id: 'late', type: 'end', title: 'Too late' },
      ],
      'bank.submit_input > onboarded',
      'bank.timeout > late',
    ),
    input: object('company'),
    run_title: 'Onboarding of ${input.company}',
  },
}

/** The workflow from the tutorial about a stuck run. */
export const booking = {
  slug: 'booking',
  title: 'Booking',
  definition: {
    ...define(
      [
        {
          id: 'summary',
          type: 'neuron',
          title: 'Summary',
          with: { message: 'What was ordered?\n\n${input.order}' },
        },
        {
          id: 'ledger',
          type: 'transform',
          title: 'Ledger',
          with: { value: 'http://old-ledger.invalid/entries' },
        },
        { id: 'review', type: 'human', kind: 'approval', title: 'Book ${input.amount} EUR?' },
        {
          id: 'book',
          type: 'http',
          title: 'Book the amount',
          with: { method: 'POST', url: '${nodes.ledger.output}', json: { amount: '${input.amount}' } },
          retry: { initial: 'PT10M', max: 'PT10M' },
        },
        { id: 'done', type: 'end', title: 'Booked' },
        { id: 'refused', type: 'end', title: 'Refused' },
      ],
      'summary > ledger',
      'ledger > review',
      'review.approve > book',
      'review.reject > refused',
      'book > done',
    ),
    input: {
      type: 'object',
      required: ['order', 'amount'],
      properties: { order: { type: 'string' }, amount: { type: 'number' } },
    },
    run_title: 'Booking of ${input.amount} EUR',
  },
}

/** Documents by title. */
export const HANDBOOK: Record<string, string> = {
  'Returns and refunds': `Customers may return goods within 30 days of delivery. We refund the price within five working days.

## Damaged goods

For goods that arrive damaged, refund the full price without a return. Ask the customer for a photo.

## Above €500

A refund above €500 needs the approval of Finance.`,
  'Delivery times': `Parcels arrive in two to four working days, pallets in five to eight.

## Late deliveries

If a delivery is more than a week late, refund the shipping costs.`,
  'Paying suppliers': `Compare each invoice with its order and the delivery note.

## Refunds from suppliers

When a supplier refunds an invoice, book the refund against the original order.`,
  Warranty: `Lamps have a warranty of two years. Repair or replace a defective lamp; refund its price if neither is possible.`,
}

const number = { name: 'number', in: 'path', required: true, schema: text }

/** The OpenAPI document of the order system. */
export const SHOP_API = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders/{number}': { get: { operationId: 'find_order', summary: 'Find an order', parameters: [number] } },
    '/orders/{number}/refund': {
      post: {
        operationId: 'refund_order',
        summary: 'Refund an order',
        parameters: [number, { name: 'amount', in: 'query', required: true, schema: text }],
      },
    },
  },
}
