import { describe, expect, it } from 'vitest'
import { filledIn, letsRun, valueOf } from './expressions.ts'
import { combinations } from './matrix.ts'
import { EXAMPLES, inOrder, ownSteps, readExample } from './workflow-file.ts'

const contexts = {
  github: { event: { number: 7 }, ref: 'refs/heads/main' },
  needs: { look: { outputs: { changed: 'true' } } },
}

describe('an expression of an example', () => {
  it('is what GitHub makes of it', () => {
    expect(filledIn("pr-${{ github.event.number }} ${{ github.ref && 'a' || 'b' }}", contexts)).toBe('pr-7 a')
    expect(valueOf("${{ fromJSON('[1, 2]') }}", contexts)).toEqual([1, 2])
  })

  it.each(['github.evnt.number', 'github.event.nummer', 'steps.gone.outputs.verdict', 'needs.look.outputs.chnged'])(
    'fails for a name that nothing is known of: %s',
    (expression) => {
      expect(() => filledIn(`\${{ ${expression} }}`, contexts)).toThrow(/nothing is known of|[uU]nrecognized/)
    },
  )

  it.each([
    [undefined, 'success', true],
    [undefined, 'failure', false],
    ['always()', 'failure', true],
    ["needs.look.outputs.changed == 'true'", 'success', true],
    ["needs.look.outputs.changed == 'true'", 'failure', false],
    ["${{ failure() && needs.look.outputs.changed == 'true' }}", 'failure', true],
    ['!cancelled()', 'failure', true],
  ] as const)('if: %s, after %s: %s', (condition, status, runs) => {
    expect(letsRun(condition, contexts, status)).toBe(runs)
  })
})

it('a matrix is its lists’ product, less what is excluded, with what is included', () => {
  const axes = { version: ['1', '2'], cache: ['cold', 'warm'], exclude: [{ version: '1', cache: 'warm' }] }
  const include = [{ version: '2', cache: 'cold', note: 'x' }, { version: '3' }]
  expect(combinations({ ...axes, include })).toEqual([
    { version: '1', cache: 'cold' },
    { version: '2', cache: 'cold', note: 'x' },
    { version: '2', cache: 'warm' },
    { version: '3' },
  ])
  expect(combinations({ include: [{ a: 1 }, { a: 2 }] })).toEqual([{ a: 1 }, { a: 2 }])
})

it('every example has a step of ours, and jobs that can be put in an order', () => {
  expect(EXAMPLES.length).toBeGreaterThan(2)
  for (const name of EXAMPLES) {
    expect([name, ownSteps(readExample(name)).length]).not.toEqual([name, 0])
    expect(inOrder(readExample(name))).toHaveLength(Object.keys(readExample(name).jobs).length)
  }
})
