import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findForbiddenLicenses, type Lock } from '../../deploy/licenses/policy.ts'
import { readNotice, renderNotices } from '../../deploy/licenses/notices.ts'
import { CHECKOUT } from '../../dev/machine/folders.ts'

const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')) as Lock

const findIn = (packages: Lock['packages']) => findForbiddenLicenses({ packages: { ...lock.packages, ...packages } })

describe('package licenses', () => {
  test('all locked packages have an allowed license', () => {
    expect(findForbiddenLicenses(lock)).toEqual([])
  })

  test.each(['LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later', 'SEE LICENSE IN LICENSE.txt'])(
    '%s is reported with its package',
    license => {
      expect(findIn({ 'node_modules/a/node_modules/@b/c': { version: '1.0.0', license } })).toEqual([
        `@b/c@1.0.0: the license ${license} isn't allowed`,
      ])
    },
  )

  test('a package without a license is reported', () => {
    expect(findIn({ 'node_modules/a': { version: '1.0.0' } })).toEqual(["a@1.0.0: the license none isn't allowed"])
  })

  test('one allowed license of several is enough', () => {
    expect(findIn({ 'node_modules/a': { version: '1.0.0', license: '(MIT OR GPL-3.0-or-later)' } })).toEqual([])
  })

  test('a correction for a package that is no longer locked is reported', () => {
    const { 'node_modules/unionfs': _, ...packages } = lock.packages
    expect(findForbiddenLicenses({ packages })).toEqual([
      'unionfs@4.6.0: no such package is locked. Remove its correction.',
    ])
  })
})

describe('third-party notices', () => {
  const notice = (name: string) => readNotice(join(CHECKOUT, 'node_modules', name))

  test('a notice has the license text of the package, and its corrected license', () => {
    expect(notice('unionfs')).toMatchObject({ license: 'Unlicense', text: expect.stringContaining('public domain') })
  })

  test('packages with the same text share it', () => {
    const text = renderNotices('The package', [notice('unionfs'), notice('fs-monkey'), notice('koa'), notice('koa')])
    expect(text.match(/This is free and unencumbered software/g)).toHaveLength(1)
    expect(text.match(/^koa \d/gm)).toHaveLength(1)
  })
})
