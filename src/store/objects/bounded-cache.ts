/** Keeps what was used last, up to a total weight; one value may take a quarter of it at most. */
export class BoundedCache<K, V> {
  readonly #values = new Map<K, V>();
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  constructor(limit: number, weigh: (value: V) => number) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    const weight = this.#weigh(value);
    if (weight > this.#limit / 4 || this.#values.has(key)) return;
    this.#values.set(key, value);
    this.#weight += weight;
    for (const [oldest, dropped] of this.#values) {
      if (this.#weight <= this.#limit) return;
      this.#values.delete(oldest);
      this.#weight -= this.#weigh(dropped);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }
}
