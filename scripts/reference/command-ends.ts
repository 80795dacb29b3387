import type { EXIT } from '../../src/core/kernel/errors.ts'

/** What each exit code means, wherever it comes from. */
export const MEANINGS: Record<keyof typeof EXIT, string> = {
  ok: 'held or improved; also a first run that `--on-missing-baseline record` recorded without gating',
  failed: 'the tool failed: see the two lines on standard error, `error: …` and `hint: …`',
  regressed: 'regressed',
  inconclusive: 'inconclusive; 0 with `--on-inconclusive warn`, but never where the baseline is missing',
  invalid: 'invalid: the manifest, a file, or the measurement',
  usage: 'wrong use of the command line or of an input of the action',
  sigint: 'ended by SIGINT; `run --resume` goes on at the next point',
  sigterm: 'ended by SIGTERM; `run --resume` goes on at the next point',
}

/** What a command ends with once it has its result, where that is not always 0. Any command can end with 1, 4 and 64 before. */
export const ENDS: Readonly<Record<string, string>> = {
  run: 'as the verdict says: 0, 2, 3 or 4',
  gate: 'as the verdict says: 0, 2, 3 or 4',
  lint: '0 without an error, 4 with one; warnings count for nothing',
  replay: '0 pass, 2 fail, 3 undersampled or unknown, 4 invalid',
  verify: '0 where everything follows from the raw files, 4 where something does not',
  calibrate: '0 where the client is fit for the manifest, 4 where it is not',
  doctor: '0 where the manifest can be run here, 3 where something is in the way',
  'sign-off': '0 signed off, 2 a requirement failed, 3 one is not shown, 4 a pack or the sign-off is refused',
  'history drift': '2 where a drift stands, 0 with `--on-drift warn`; else 0',
}
