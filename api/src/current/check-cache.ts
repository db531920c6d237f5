/** More questions than operators have open; then all are forgotten, which costs each of them one long look. */
const MOST = 50_000

/**
 * How far into the window a question has been answered with "nothing new". Who watches for what seldom comes asks the
 * same every second with the same last vehicle: only what came since then need be looked at.
 */
export function createCheckCache() {
  const places = new Map<string, number>()
  return {
    until: (question: string): number => places.get(question) ?? 0,
    note(question: string, place: number): void {
      if (places.size >= MOST) places.clear()
      places.set(question, place)
    },
  }
}
