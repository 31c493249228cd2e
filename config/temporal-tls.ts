import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Parses a PEM setting, or the path of a PEM file. Problems never quote the content. */
const pem = (subject: string, check: (text: string) => unknown) =>
  z.string().transform((setting, context): string => {
    try {
      const text = setting.trimStart().startsWith('-----BEGIN ') ? setting : readFileSync(setting, 'utf8')
      check(text)
      return text
    } catch {
      context.addIssue({
        code: 'custom',
        message: `must be ${subject} in PEM format, or the path of a file that contains it`,
      })
      return z.NEVER
    }
  })

export const certificateSetting = pem('a certificate', text => new X509Certificate(text))
export const privateKeySetting = pem('a private key without a passphrase', text => createPrivateKey(text))

interface Settings {
  TEMPORAL_TLS_CERT?: string
  TEMPORAL_TLS_KEY?: string
}

/** Lists problems with the client certificate and its key, by setting. */
export function clientCertificateProblems({
  TEMPORAL_TLS_CERT: certificate,
  TEMPORAL_TLS_KEY: key,
}: Settings): [setting: string, message: string][] {
  if (certificate === undefined && key === undefined) return []
  if (certificate === undefined) return [['TEMPORAL_TLS_CERT', 'is required with TEMPORAL_TLS_KEY']]
  if (key === undefined) return [['TEMPORAL_TLS_KEY', 'is required with TEMPORAL_TLS_CERT']]
  const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  return isPair ? [] : [['TEMPORAL_TLS_KEY', 'must be the private key for TEMPORAL_TLS_CERT']]
}
