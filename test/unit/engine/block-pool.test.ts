import { describe, expect, test } from 'vitest'
import { BlockPool } from '../../../fixtures/engine/model/block-pool.ts'
import { keysOfTokens, PrefixKeys } from '../../../fixtures/engine/model/block-keys.ts'

describe('the block pool', () => {
  test('shares cached blocks and counts them once', () => {
    const pool = new BlockPool(10)
    const first = pool.acquire([1, 2, 3], 0, 4)
    expect(first).not.toBeNull()
    expect(pool.hits([1, 2, 3], 3)).toBe(3)
    expect(pool.hits([1, 9, 3], 3)).toBe(1)
    pool.acquire([1, 2, 3], 3, 5)
    expect(pool.used).toBe(4 + 2)
  })

  test('keeps what was freed for later hits, and evicts the least recently freed chain first, its end first', () => {
    const pool = new BlockPool(8)
    const old = pool.acquire([1, 2], 0, 2)
    const young = pool.acquire([3, 4], 0, 2)
    pool.release(old!, 0, false)
    pool.release(young!, 0, false)
    expect(pool.used).toBe(0)
    pool.takeAnonymous(4 + 1)
    expect([pool.hits([1, 2], 2), pool.hits([3, 4], 2)]).toEqual([1, 2])
    pool.takeAnonymous(1)
    expect([pool.hits([1, 2], 2), pool.hits([3, 4], 2)]).toEqual([0, 2])
    expect(pool.evicted).toBe(2)
  })

  test('a hit takes a chain out of the eviction order', () => {
    const pool = new BlockPool(4)
    const old = pool.acquire([1, 2], 0, 2)
    const young = pool.acquire([3, 4], 0, 2)
    pool.release(old!, 0, false)
    pool.release(young!, 0, false)
    const again = pool.acquire([1, 2], 2, 2)
    pool.release(again!, 0, false)
    pool.takeAnonymous(2)
    expect([pool.hits([1, 2], 2), pool.hits([3, 4], 2)]).toEqual([2, 0])
  })

  test('takes nothing when the chain does not fit', () => {
    const pool = new BlockPool(3)
    const held = pool.acquire([1, 2], 0, 2)
    expect(pool.acquire([5], 0, 2)).toBeNull()
    expect(pool.free).toBe(1)
    pool.release(held!, 0, false)
    // Two of the three free blocks are the hits themselves: only one is left for the rest.
    expect(pool.acquire([1, 2], 2, 4)).toBeNull()
    expect(pool.acquire([1, 2], 2, 3)).not.toBeNull()
  })

  test('forgets content on demand, but not while another holds it', () => {
    const pool = new BlockPool(6)
    const first = pool.acquire([1, 2], 0, 3)
    const second = pool.acquire([1], 1, 1)
    pool.release(first!, 1, true)
    expect(pool.hits([1, 2], 2)).toBe(1)
    expect(pool.free + pool.used).toBe(6)
    expect(pool.countQueue()).toBe(pool.free)
    pool.release(second!, 0, false)
  })

  test('resets only while nothing is held', () => {
    const pool = new BlockPool(6)
    const held = pool.acquire([1, 2], 0, 3)
    expect(pool.reset()).toBe(false)
    pool.release(held!, 1, false)
    expect(pool.reset()).toBe(true)
    expect([pool.hits([1], 1), pool.free, pool.countQueue(), pool.cachedBlocks]).toEqual([0, 6, 6, 0])
  })
})

describe('block keys', () => {
  const tokens = Array.from({ length: 40 }, (_, index) => index)

  test('depend on every token before them, on the salt, and on full blocks only', () => {
    const keys = keysOfTokens(tokens, 16, '')
    expect(keys).toHaveLength(2)
    expect(keysOfTokens(tokens.slice(0, 33), 16, '')).toEqual(keys)
    expect(keysOfTokens(tokens.slice(0, 31), 16, '')).toEqual(keys.slice(0, 1))
    const late = keysOfTokens(tokens.with(20, 99), 16, '')
    expect([late[0] === keys[0], late[1] === keys[1]]).toEqual([true, false])
    const early = keysOfTokens(tokens.with(0, 99), 16, '')
    expect([early[0] === keys[0], early[1] === keys[1]]).toEqual([false, false])
    expect(keysOfTokens(tokens, 16, 'salt')[0]).not.toBe(keys[0])
  })

  test('do not collide over two hundred thousand blocks of similar prompts', () => {
    const seen = new Set<number>()
    for (let prompt = 0; prompt < 2_000; prompt += 1) {
      const ids = Array.from({ length: 1600 }, (_, index) => (index === 0 ? prompt : index % 7))
      for (const key of keysOfTokens(ids, 16, '')) seen.add(key)
    }
    expect(seen.size).toBe(200_000)
  })

  test('of a described prefix are the same for its name and longer for more tokens', () => {
    const prefixes = new PrefixKeys()
    const short = prefixes.of('a', 40, 16)
    const long = prefixes.of('a', 64, 16)
    expect(short).toHaveLength(2)
    expect(long.slice(0, 2)).toEqual([...short])
    expect(prefixes.of('b', 64, 16).some((key) => long.includes(key))).toBe(false)
  })
})
