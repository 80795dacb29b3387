#!/usr/bin/env bash
# Before each job of a runner that measures: what killed runs left is removed, and what is in the way of a measurement is in the job's
# log. Named in the runner's .env as ACTIONS_RUNNER_HOOK_JOB_STARTED, by its absolute path. See docs/runner.md.
#
#   CAPACITY_GATE               the checkout of Capacity Gate that you reviewed; /opt/capacity-gate by default
#   CAPACITY_GATE_NODE          a Node 24; the first on the PATH by default
#   CAPACITY_GATE_REQUIRE_IDLE  1: a machine on which something required is missing, or busy, fails the job here.
#                               For a machine with one runner; where several share it, runs wait for each other by their locks.
set -euo pipefail

cli="${CAPACITY_GATE:-/opt/capacity-gate}/dist/cli.js"
[[ -r $cli ]] || echo "::warning title=Machine not looked after::there is no $cli: set CAPACITY_GATE in the runner's .env"

# A hook has no time limit of its own.
gate() {
  timeout --kill-after=10 120 "${CAPACITY_GATE_NODE:-node}" "$cli" "$@"
}

echo '::group::Capacity Gate: the machine before the job'
# What follows names processes and paths of anybody's: none of it is an order to the runner.
token=$(< /proc/sys/kernel/random/uuid)
echo "::stop-commands::$token"
gate clean || echo 'warning: the clean-up did not finish'
status=0
gate doctor || status=$?
echo "::$token::"
echo '::endgroup::'

if [[ ${CAPACITY_GATE_REQUIRE_IDLE:-0} == 1 && $status -ne 0 ]]; then
  echo '::error title=Machine not fit::doctor found something in the way: see the log of this step'
  exit "$status"
fi
