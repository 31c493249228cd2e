import type { EntitySchemaColumnOptions } from 'typeorm'

/** A time as ISO 8601 text in UTC. */
export const isoTime: EntitySchemaColumnOptions = {
  type: 'timestamptz',
  transformer: {
    from: (time: Date | null) => time?.toISOString() ?? null,
    to: (text: string | null | undefined) => text,
  },
}
