import { z } from 'zod'
import type { JsonValue } from '../../kernel/canonical.ts'

/**
 * JSON whose objects' keys stand once for all objects that have the same ones in the same order: of a large record the keys are more than
 * half. An object is `[shape, ...values]`, a list is `[-1, ...values]`, and every other value stands as it is.
 */
export interface Shaped {
  shapes: string[][]
  root: JsonValue
}

export const shapedSchema: z.ZodType<Shaped> = z.strictObject({ shapes: z.array(z.array(z.string())), root: z.json() })

const LIST = -1

/** The value by shapes; `unshaped` gives it back, its keys in their order. */
export function shaped(value: unknown): Shaped {
  const shapes = new Map<string, { index: number; keys: string[] }>()
  const pack = (each: unknown): JsonValue => {
    if (Array.isArray(each)) return [LIST, ...each.map(pack)]
    if (typeof each !== 'object' || each === null) return each as JsonValue
    const keys = Object.keys(each)
    const name = JSON.stringify(keys)
    const shape = shapes.get(name) ?? { index: shapes.size, keys }
    shapes.set(name, shape)
    return [shape.index, ...Object.values(each).map(pack)]
  }
  const root = pack(value)
  return { shapes: [...shapes.values()].map(({ keys }) => keys), root }
}

/** @throws RangeError for a shape that is not there, or one of another length */
export function unshaped({ shapes, root }: Shaped): JsonValue {
  const unpack = (each: JsonValue): JsonValue => {
    if (!Array.isArray(each)) return each
    const [shape, ...values] = each
    if (shape === LIST) return values.map(unpack)
    const keys = shapes[Number(shape)]
    if (keys === undefined || keys.length !== values.length) throw new RangeError('no such shape')
    // Defined one by one, so that `__proto__` is a key like any other.
    return Object.fromEntries(keys.map((key, index) => [key, unpack(values[index] ?? null)]))
  }
  return unpack(root)
}
