import { describe, expect, it, test } from 'vitest'
import { movedNames, notesOf, parseVersion } from '../../../scripts/release/version.ts'

test.each(['1.2', 'v1.2.3', '1.2.3-rc.1', '01.2.3', '1.2.3 ', ''])('refuses %j as a version', (text) => {
  expect(() => parseVersion(text)).toThrow('is no version X.Y.Z')
})

describe('the names that move to a release', () => {
  test.each([
    ['the first', '0.1.0', ['v0.1.0'], true, true],
    ['the newest', '1.10.0', ['v1.9.9', 'v1.10.0', 'v0.9.0', 'v1'], true, true],
    ['a fix of an older minor line', '1.2.4', ['v1.2.3', 'v1.3.0', 'v1.2.4'], false, false],
    ['a fix of an older major line', '1.9.1', ['v1.9.0', 'v2.0.0', 'v1.9.1'], true, false],
    ['one beside tags that are no releases', '1.0.0', ['v9', 'v2.0.0-rc.1', 'very-old', ''], true, true],
  ])('%s', (_, version, tags, majorTag, latest) => {
    expect(movedNames(version, tags)).toEqual({ majorTag, latest })
  })
})

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.0.1] - 2026-01-02\n\n### Added\n\n- this\n\n## [1.0.0]\n\n- old\n'

  it('are its section of the changelog, without the heading', () => {
    expect(notesOf(changelog, '1.0.1')).toBe('### Added\n\n- this\n')
    expect(notesOf(changelog, '1.0.0')).toBe('- old\n')
  })

  test.each(['1.0', '2.0.0'])('are not found for %s', (version) => {
    expect(() => notesOf(changelog, version)).toThrow('no notes')
  })

  it('are not empty', () => {
    expect(() => notesOf('## [1.0.0]\n\n## [0.9.0]\n\n- old\n', '1.0.0')).toThrow('no notes')
  })
})
