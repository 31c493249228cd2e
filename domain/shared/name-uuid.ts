const OFFSET = 144_066_263_297_769_815_596_495_629_667_062_367_629n
const PRIME = 309_485_009_821_345_068_724_781_371n

/**
 * Returns the version 8 UUID of an ASCII text: its 128-bit FNV-1a hash (RFC 9923). Deterministic. The UUID identifies
 * a name, but doesn't hide it.
 */
export function deriveUuid(text: string): string {
  const hex = fnv1a(text).toString(16).padStart(32, '0')
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)]
  return parts.join('-')
}

export function fnv1a(text: string): bigint {
  let hash = OFFSET
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(128, (hash ^ BigInt(text.charCodeAt(i))) * PRIME)
  return hash
}
