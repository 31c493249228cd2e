/** Builds the response envelope for every list except `GET /v1/jobs`. */
export function page<T>(data: T[], total: number, { limit, offset }: { limit: number; offset: number }) {
  return { data, pagination: { limit, offset, total, has_more: offset + data.length < total } }
}
