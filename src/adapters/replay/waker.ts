/** Wakes a loop that waits for a time: each signal aborts at the first `wake` after it was asked for, or at the halt. */
export class Waker {
  #controller = new AbortController()

  constructor(halt: AbortSignal) {
    if (halt.aborted) this.#controller.abort()
    else halt.addEventListener('abort', () => this.wake(), { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  wake(): void {
    const waiting = this.#controller
    this.#controller = new AbortController()
    waiting.abort()
  }
}
