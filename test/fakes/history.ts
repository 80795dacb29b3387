import type { HistoryStore } from '../../src/app/ports/history.ts'

/** A history in memory. */
export function fakeHistory(text = ''): HistoryStore & { text: string } {
  const store = {
    location: 'memory',
    text,
    read: async () => store.text,
    update: async (change: (text: string) => string) => {
      store.text = change(store.text)
    },
  }
  return store
}
