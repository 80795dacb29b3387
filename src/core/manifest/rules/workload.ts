import { isReservedClassName } from '../class-name.ts'
import { showNumber, showValue, type Breach, type Path } from '../finding.ts'
import { promptTokensOfTurn } from '../session-lengths.ts'
import type { Rule, RuleInput } from './rule.ts'

const COUNTS: Path = ['client', 'class_schedule_counts']

/** The classes that are well-formed enough to have a name, with their place in the list. */
export function namedClasses({ draft }: RuleInput) {
  return (draft.workload ?? []).flatMap((shape, index) =>
    shape?.name === undefined ? [] : [{ ...shape, name: shape.name, index }],
  )
}

/** Every class has a well-formed name and mix: sums over them mean something. */
function isWhole({ draft }: RuleInput): boolean {
  return (
    draft.workload !== undefined &&
    draft.workload.every((shape) => shape?.name !== undefined && shape.mix !== undefined)
  )
}

function mixSum(input: RuleInput): Breach[] {
  if (!isWhole(input)) return []
  const sum = namedClasses(input).reduce((total, shape) => total + (shape.mix ?? 0), 0)
  if (Math.abs(sum - 1) <= 1e-9) return []
  return [
    { path: ['workload'], at: 'key', message: `the classes' mix sums to ${Number(sum.toPrecision(12))}, not to 1` },
  ]
}

function duplicates(input: RuleInput): Breach[] {
  const seen = new Set<string>()
  return namedClasses(input).flatMap(({ name, index }): Breach[] => {
    const isSecond = seen.has(name)
    seen.add(name)
    return isSecond ? [{ path: ['workload', index, 'name'], message: `the class ${showValue(name)} stands twice` }] : []
  })
}

function reservedNames(input: RuleInput): Breach[] {
  return namedClasses(input).flatMap(({ name, index }): Breach[] =>
    isReservedClassName(name)
      ? [{ path: ['workload', index, 'name'], message: `${showValue(name)} cannot be the name of a class` }]
      : [],
  )
}

function countNames(input: RuleInput): Breach[] {
  const counts = input.draft.client?.class_schedule_counts
  if (counts === undefined || !isWhole(input)) return []
  const names = [...new Set(namedClasses(input).map((shape) => shape.name))]
  const known = new Set(names)
  const strangers = Object.keys(counts).filter((name) => !known.has(name))
  const uncounted = names.filter((name) => !Object.hasOwn(counts, name))
  return [
    ...strangers.map((name): Breach => {
      const message = `\`client.class_schedule_counts\` counts ${showValue(name)}, which is no class of the workload`
      return {
        path: [...COUNTS, name],
        at: 'key',
        message,
        hint: `The classes are ${names
          .slice(0, 20)
          .map((n) => showValue(n))
          .join(', ')}.`,
      }
    }),
    ...uncounted.map((name): Breach => {
      return {
        path: COUNTS,
        at: 'key',
        message: `\`client.class_schedule_counts\` has no count for the class ${showValue(name)}`,
      }
    }),
  ]
}

function countSum({ draft }: RuleInput): Breach[] {
  const counts = draft.client?.class_schedule_counts
  const initial = draft.client?.initial_scheduled_requests
  if (counts === undefined || initial === undefined) return []
  const sum = Object.values(counts).reduce((total, count) => total + count, 0)
  if (sum === initial) return []
  const message = `the class counts sum to ${showNumber(sum)}, not to initial_scheduled_requests (${showNumber(initial)})`
  return [{ path: COUNTS, at: 'key', message }]
}

function countsAgainstMix(input: RuleInput): Breach[] {
  const counts = input.draft.client?.class_schedule_counts
  const initial = input.draft.client?.initial_scheduled_requests
  if (counts === undefined || initial === undefined) return []
  return namedClasses(input).flatMap(({ name, mix }): Breach[] => {
    const count = Object.hasOwn(counts, name) ? counts[name] : undefined
    if (count === undefined || mix === undefined) return []
    // Rounding to whole requests moves a count by less than one.
    if (Math.abs(count - mix * initial) < 1 + 1e-9 * initial) return []
    const message = `the class ${showValue(name)} has ${showNumber(count)} requests; its mix ${mix} of ${showNumber(initial)} is ${showNumber(mix * initial)}`
    return [{ path: [...COUNTS, name], message }]
  })
}

function longerThanModel(input: RuleInput): Breach[] {
  const longest = input.draft.model?.max_model_len
  if (longest === undefined) return []
  return namedClasses(input).flatMap((shape): Breach[] => {
    const { input_tokens = 0, output_tokens = 0, session } = shape
    const turns = session?.turns ?? 1
    const total = promptTokensOfTurn({ input_tokens, output_tokens }, turns - 1) + output_tokens
    if (total <= longest) return []
    const which = turns > 1 ? `the last of the ${showNumber(turns)} turns of the class` : 'the class'
    const message = `${which} ${showValue(shape.name)} needs ${showNumber(total)} tokens of context; model.max_model_len is ${showNumber(longest)}`
    return [{ path: ['workload', shape.index, 'input_tokens'], message }]
  })
}

function cutoffUnits(input: RuleInput): Breach[] {
  return namedClasses(input).flatMap((shape): Breach[] => {
    const small = (name: 'request_ttft_cutoff_ms' | 'request_tpot_cutoff_ms', least: number): Breach[] => {
      const value = shape[name]
      if (value === undefined || value >= least) return []
      const message = `${name} of the class ${showValue(shape.name)} is ${value} ms, which looks like seconds`
      return [
        {
          path: ['workload', shape.index, name],
          message,
          hint: `If seconds were meant, write ${showNumber(value * 1000)}.`,
        },
      ]
    }
    return [...small('request_ttft_cutoff_ms', 5), ...small('request_tpot_cutoff_ms', 0.2)]
  })
}

function endToEndCutoff(input: RuleInput): Breach[] {
  return namedClasses(input).flatMap((shape): Breach[] => {
    const { request_e2e_cutoff_ms: endMs, request_ttft_cutoff_ms: firstMs } = shape
    if (endMs === undefined || firstMs === undefined || endMs >= firstMs) return []
    const message = `request_e2e_cutoff_ms of the class ${showValue(shape.name)} is ${endMs} ms, below its TTFT cutoff of ${firstMs} ms`
    return [{ path: ['workload', shape.index, 'request_e2e_cutoff_ms'], message }]
  })
}

function emptyClass(input: RuleInput): Breach[] {
  return namedClasses(input).flatMap(({ mix, name, index }): Breach[] =>
    mix === 0
      ? [
          {
            path: ['workload', index, 'mix'],
            message: `the class ${showValue(name)} has a mix of 0: it gets no requests`,
          },
        ]
      : [],
  )
}

const error = { level: 'valid', severity: 'error' } as const

export const WORKLOAD_RULES: readonly Rule[] = [
  {
    id: 'mix-sum',
    title: "The classes' mix does not sum to 1",
    ...error,
    why: 'The mix is the share of each class in the arrivals; shares of a whole sum to 1 (within 1e-9).',
    mend: 'Correct the shares.',
    check: mixSum,
  },
  {
    id: 'mix-zero',
    title: 'A class has no share',
    ...error,
    why: 'A class without requests never passes, so that no point ever would.',
    mend: 'Remove the class, or give it a share.',
    check: emptyClass,
  },
  {
    id: 'duplicate-class',
    title: 'Two classes have one name',
    ...error,
    why: 'Results are told by class name; two of one name would be mixed.',
    mend: 'Rename one of them.',
    check: duplicates,
  },
  {
    id: 'reserved-class-name',
    title: 'A class has a reserved name',
    ...error,
    why: '`all` and `total` stand for every class in reports, and names like `constructor` change objects in careless programs.',
    mend: 'Choose another name.',
    check: reservedNames,
  },
  {
    id: 'count-names',
    title: 'Class counts and workload name different classes',
    ...error,
    why: 'The schedule has exactly the counted requests of each class; a class without a count would get none.',
    mend: 'Give each class of the workload its count, and no other.',
    check: countNames,
  },
  {
    id: 'count-sum',
    title: 'The class counts do not sum to the initial requests',
    ...error,
    why: 'One of the two numbers is wrong, and both are frozen into the schedule.',
    mend: 'Make initial_scheduled_requests the sum of class_schedule_counts.',
    check: countSum,
  },
  {
    id: 'count-mix',
    title: 'A class count disagrees with the mix',
    ...error,
    why: 'Counts decide the schedule, the mix decides warm-up and extension: they must describe one workload (counts are mix × initial requests, rounded).',
    mend: 'Correct the count or the mix.',
    check: countsAgainstMix,
  },
  {
    id: 'longer-than-model',
    title: 'A class is longer than the model allows',
    ...error,
    why: 'The engine refuses a request whose input and output together exceed max_model_len: the whole class would fail.',
    mend: 'Raise model.max_model_len, or shorten the class or its sessions.',
    check: longerThanModel,
  },
  {
    id: 'cutoff-unit',
    title: 'A cutoff looks like seconds',
    level: 'valid',
    severity: 'warning',
    why: 'Cutoffs are milliseconds. One that no engine can meet fails every point.',
    mend: 'Write the cutoff in milliseconds.',
    check: cutoffUnits,
  },
  {
    id: 'e2e-below-ttft',
    title: 'The end-to-end cutoff is shorter than the one for the first token',
    ...error,
    why: 'A request ends after its first token: the TTFT cutoff could never matter.',
    mend: 'Correct one of the two.',
    check: endToEndCutoff,
  },
]
