import type { AnnotationProperties } from '@actions/core'
import type { Toolkit } from '../../src/adapters/github/publisher.ts'

interface Recorded extends AnnotationProperties {
  level: 'error' | 'warning' | 'notice'
  message: string
}

export interface RecordingToolkit extends Toolkit {
  readonly annotations: Recorded[]
  summaryText: string
}

/** Stands in for @actions/core: keeps what it was told. */
export function recordingToolkit(): RecordingToolkit {
  const annotations: Recorded[] = []
  const say =
    (level: Recorded['level']) =>
    (message: string, properties: AnnotationProperties = {}) =>
      void annotations.push({ level, message, ...properties })
  const toolkit: RecordingToolkit = {
    annotations,
    summaryText: '',
    error: say('error'),
    warning: say('warning'),
    notice: say('notice'),
    summary: {
      addRaw: (text) => ({
        write: async () => void (toolkit.summaryText += text),
      }),
    },
  }
  return toolkit
}
