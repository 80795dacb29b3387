// The npm package: the bundled command line with nothing to install beside it. It is laid out in a folder of its own, since package.json of
// this repository names what the bundle was made from, which whoever installs the package must not fetch again.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NEEDED } from '../../src/entry/needed-node.ts'

/** The action's own ends: the command line never loads them. */
const ACTION_ONLY = ['action.js', 'post.js']
const BESIDE = ['LICENSE', 'README.md', 'docs/manifest.schema.json']

/** Lays the package out in a folder. The repository is where its provenance will say that it was built. */
export async function layOutPackage(root: string, folder: string, repository: string | null): Promise<void> {
  const built = (await readdir(join(root, 'dist'))).filter((name) => !ACTION_ONLY.includes(name))
  for (const file of [...BESIDE, ...built.map((name) => `dist/${name}`)]) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await cp(join(root, file), join(folder, file))
  }
  const { name, version, description, license, type, bin } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines: { node: `>=${NEEDED.major}.${NEEDED.minor}` },
    ...(repository === null ? {} : { repository: { type: 'git', url: `git+${repository}.git` } }),
    files: ['dist', 'docs'],
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
