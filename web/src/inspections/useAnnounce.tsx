import { useRef, useState } from 'react'
import { lazyPart } from '../core/lazyPage.tsx'
import { queryClient } from '../core/queryClient.ts'
import { useRight } from '../core/useSelf.ts'
import { type Announceable, openInspection } from './announceable.ts'
import { newIdempotencyKey } from './idempotencyKey.ts'

// Loaded with their texts when first used: the live list needs neither.
const Announcement = lazyPart('Announcement', () => import('./Announcement.tsx'), { features: ['inspections'] })
const Withdrawal = lazyPart('Withdrawal', () => import('./Withdrawal.tsx'), { features: ['inspections'] })

type Task =
  | { kind: 'announce'; vehicle: Announceable; callOnSign: boolean; idempotencyKey: string }
  | { kind: 'withdraw'; id: number; vehicle: Announceable }

/**
 * Announces an inspection of a vehicle, or takes the announcement back with a reason. `tasks` must be rendered.
 * `isAllowed`: the user may do so.
 */
export function useAnnounce() {
  const [tasks, setTasks] = useState<readonly Task[]>([])
  const isInspector = useRight('Inspections')
  const isReviewer = useRight('InspectionReview')
  const isAnonymised = useRight('Anonymization')
  // One for each vehicle until it was answered.
  const keys = useRef(new Map<string, string>())

  const start = (task: Task) => setTasks((all) => (all.some((it) => keyOf(it) === keyOf(task)) ? all : [...all, task]))
  const announce = (vehicle: Announceable, callOnSign = false) => {
    const name = nameOf(vehicle, callOnSign)
    const idempotencyKey = keys.current.get(name) ?? newIdempotencyKey()
    keys.current.set(name, idempotencyKey)
    start({ kind: 'announce', vehicle, callOnSign, idempotencyKey })
  }
  const end = (task: Task, isAnswered = true) => {
    if (task.kind === 'announce' && isAnswered) keys.current.delete(nameOf(task.vehicle, task.callOnSign))
    setTasks((all) => all.filter((it) => it !== task))
    void queryClient.invalidateQueries({ queryKey: ['inspections'] })
    void queryClient.invalidateQueries({ queryKey: ['vehicle'] })
  }

  return {
    isAllowed: (isInspector || isReviewer) && !isAnonymised,
    announce,
    /** Announces it, or asks for the reason of taking it back. */
    toggle: (vehicle: Announceable) => {
      const open = openInspection(vehicle)
      if (!open) announce(vehicle)
      else if (open.state === 'announced' && open.id !== null) start({ kind: 'withdraw', id: open.id, vehicle })
    },
    tasks: tasks.map((task) =>
      task.kind === 'announce' ? (
        <Announcement key={keyOf(task)} {...task} onEnd={(isAnswered) => end(task, isAnswered)} />
      ) : (
        <Withdrawal key={keyOf(task)} id={task.id} vehicle={task.vehicle} onEnd={() => end(task)} />
      ),
    ),
  }
}

const keyOf = (task: Task) => (task.kind === 'announce' ? task.idempotencyKey : task.id)

const nameOf = ({ id, createdAt }: Announceable, callOnSign: boolean): string => `${id} ${createdAt} ${callOnSign}`
