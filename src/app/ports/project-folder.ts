/** What stands at a path of the folder. */
type Standing = { kind: 'nothing' } | { kind: 'file'; text: string } | { kind: 'other'; what: string }

/**
 * The folder that a user's own project is in. Paths are relative, with `/` between. A path that leads out of it, by a symbolic link too, is
 * refused: GateError `path_refused` (exit 4).
 */
export interface ProjectFolder {
  /** Throws GateError where it cannot be looked at, or holds a file that is no text of at most a mebibyte. */
  look(path: string): Promise<Standing>
  /** Writes a file whole or not at all, making the folders above it. Throws GateError. */
  write(path: string, text: string): Promise<void>
}
