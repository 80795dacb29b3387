import { describe, expect, it } from 'vitest'
import { isOwner, ownerLines, withOwnerLines } from '../../../src/core/init/owners.ts'

const lines = ownerLines('workload-manifest.yaml', '.github/CODEOWNERS', '@acme/inference')

describe('CODEOWNERS', () => {
  it('guards the manifest, the accepted losses, the workflows and itself', () => {
    expect(lines).toEqual([
      '/workload-manifest.yaml @acme/inference',
      '/.capacity-gate/        @acme/inference',
      '/.github/               @acme/inference',
    ])
    expect(ownerLines('m.yaml', 'CODEOWNERS', '@a')).toContain('/CODEOWNERS      @a')
  })

  it('gets the lines at its end, once', () => {
    const written = withOwnerLines(null, lines) ?? ''
    expect(written).toMatch(/^# Capacity gate: .*\n\/workload-manifest\.yaml @acme\/inference\n/)
    expect(withOwnerLines(written, lines)).toBeNull()
    const added = withOwnerLines('* @acme/all', lines) ?? ''
    expect(added).toBe(`* @acme/all\n\n${written}`)
    expect(withOwnerLines(added, lines)).toBeNull()
    expect(withOwnerLines(added.replaceAll('\n', '\r\n').replaceAll(/ +@/g, '\t@'), lines)).toBeNull()
  })

  it('gets what it lacks alone, and another owner’s line beside its own', () => {
    const before = '/.github/ @acme/inference\n/.capacity-gate/ @acme/others\n'
    const added = withOwnerLines(before, lines) ?? ''
    expect(added.startsWith(before)).toBe(true)
    expect(added.slice(before.length).match(/^\/.*$/gm)).toEqual(lines.slice(0, 2))
  })

  it.each(['@acme/inference', '@me', 'me@acme.example', '@a/b @c'])('takes %s for an owner', (text) => {
    expect(isOwner(text)).toBe(true)
  })

  it.each(['', 'acme', '@', '@a/b/c', '@a\n* @evil', '@a  @b', '@a #x'])('does not take %j for one', (text) => {
    expect(isOwner(text)).toBe(false)
  })
})
