import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../../../src/adapters/store/open-store.ts'
import { parseStoreRef } from '../../../../src/adapters/store/store-ref.ts'

const refused = expect.objectContaining({ code: 'store_ref_invalid', exitCode: 64 }) as Error

describe('a reference', () => {
  it.each([
    ['dir:/tmp/a b:c', { kind: 'dir', path: '/tmp/a b:c' }],
    ['file:capacity.json', { kind: 'file', path: 'capacity.json' }],
    ['branch:capacity-baselines', { kind: 'branch', branch: 'capacity-baselines', folder: '' }],
    ['branch:gates/v1.2_x:h100/sxm', { kind: 'branch', branch: 'gates/v1.2_x', folder: 'h100/sxm' }],
    ['branch:b:h100/', { kind: 'branch', branch: 'b', folder: 'h100' }],
  ])('%j is read', (ref, parsed) => {
    expect(parseStoreRef(ref)).toEqual(parsed)
  })

  it.each(['', 'baselines', 'dir:', 'file:', 'branch:', 'https://x/y', 'DIR:x', 'dir:a\0b', 'file:a\0b'])(
    '%j names no store',
    async (ref) => {
      expect(() => parseStoreRef(ref)).toThrow(refused)
      const untouched = { env: {}, remote: () => Promise.reject(new Error('asked for the repository')) }
      await expect(openStore(ref, untouched)).rejects.toEqual(refused)
    },
  )

  it.each([
    '--upload-pack=touch /tmp/x',
    '-b',
    '..',
    'a..b',
    'a/../b',
    '/a',
    'a/',
    'a//b',
    'a/.b',
    '.a',
    'a.',
    'a.lock',
    'a.lock/b',
    'a b',
    'a~1',
    'a^',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a@{1}',
    '@',
    '+a',
    'HEAD',
    'refs/heads/a',
    'refs',
    'f'.repeat(40),
    'a\nb',
    'a\u001b[2J',
    'a\u007f',
    'a\u202eb',
    'ä',
    '$(id)',
    '`id`',
    'a;b',
    'x'.repeat(201),
  ])('branch %j is refused', (name) => {
    expect(() => parseStoreRef(`branch:${name}`)).toThrow(refused)
  })

  it.each(['', '/', '/a', '..', 'a/../b', '.git', 'a//b', '-a', 'a\0', 'a\nb', 'a:b', 'a b', '$x', 'a/'.repeat(30)])(
    'folder %j of a branch is refused',
    (folder) => {
      expect(() => parseStoreRef(`branch:b:${folder}`)).toThrow(refused)
    },
  )

  it('lets no name through that git could take for anything but a branch and a folder in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (name) => {
        let parsed
        try {
          parsed = parseStoreRef(`branch:${name}`)
        } catch {
          return
        }
        if (parsed.kind !== 'branch') throw new Error('another kind')
        expect(parsed.branch).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/)
        expect(`/${parsed.branch}/${parsed.folder}`).not.toMatch(/\.\.|\/\.|\/-|[^ -~]/)
      }),
    )
  })
})
