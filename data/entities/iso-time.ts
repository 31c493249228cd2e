import type { EntitySchemaColumnOptions } from 'typeorm'

/** A moment as ISO 8601 text in UTC, as the rest of the house holds times. */
export const isoTime: EntitySchemaColumnOptions = {
  type: 'timestamptz',
  transformer: {
    from: (time: Date | null) => time?.toISOString() ?? null,
    to: (text: string | null | undefined) => text,
  },
}
