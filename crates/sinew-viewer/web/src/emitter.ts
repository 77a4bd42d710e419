// Who wants to hear of what. A listener that throws does not keep the others from hearing.

export class Emitter<Events> {
  private readonly listeners = new Map<keyof Events, Set<(value: never) => void>>();

  on<K extends keyof Events>(name: K, listener: (value: Events[K]) => void): () => void {
    let set = this.listeners.get(name);
    if (!set) this.listeners.set(name, (set = new Set()));
    set.add(listener);
    return () => set.delete(listener);
  }

  emit<K extends keyof Events>(name: K, value: Events[K]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        (listener as (value: Events[K]) => void)(value);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
