/** What no shell word that is shown may hold: a line of its own, what cannot be seen, and what would end a block of code. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}`]/u
const WORD_MAX = 500

/** A value as one word of a command that can be copied into a POSIX shell; null where it cannot be shown as it is. */
export function commandWord(value: string): string | null {
  if (value.length > WORD_MAX || !value.isWellFormed() || UNSHOWABLE.test(value)) return null
  return /^[\w./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/** A path as such a word: one that begins with a dash is no option, and a folder needs no slash at its end. */
export function pathWord(path: string): string | null {
  const folder = path.replace(/(?<=.)\/+$/, '')
  return folder === '' ? null : commandWord(folder.startsWith('-') ? `./${folder}` : folder)
}
