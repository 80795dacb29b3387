#!/usr/bin/env bash
# After each job of a runner that measures, however it ended: what its runs left is removed, also where the job's own post steps did
# not come to it. Named in the runner's .env as ACTIONS_RUNNER_HOOK_JOB_COMPLETED, by its absolute path. See docs/runner.md.
#
#   CAPACITY_GATE              the checkout of Capacity Gate that you reviewed; /opt/capacity-gate by default
#   CAPACITY_GATE_NODE         a Node 24; the first on the PATH by default
#   CAPACITY_GATE_DISK_GIB     where less than so much is free for Docker's images, those that no container uses and that are older than
#                              a week are removed; 0, the default: never
#   CAPACITY_GATE_DOCKER_ROOT  where Docker keeps them; /var/lib/docker by default
set -euo pipefail

cli="${CAPACITY_GATE:-/opt/capacity-gate}/dist/cli.js"
[[ -r $cli ]] || echo "::warning title=Machine not looked after::there is no $cli: set CAPACITY_GATE in the runner's .env"

echo '::group::Capacity Gate: the machine after the job'
# What follows names processes and paths of anybody's: none of it is an order to the runner.
token=$(< /proc/sys/kernel/random/uuid)
echo "::stop-commands::$token"
# A hook has no time limit of its own, and one that fails fails the job.
timeout --kill-after=10 120 "${CAPACITY_GATE_NODE:-node}" "$cli" clean ||
  echo 'warning: the clean-up did not finish'

wanted_gib=${CAPACITY_GATE_DISK_GIB:-0}
if ((wanted_gib > 0)); then
  free_gib=$(df --output=avail --block-size=1G "${CAPACITY_GATE_DOCKER_ROOT:-/var/lib/docker}" | tail -n 1)
  if ((free_gib < wanted_gib)); then
    echo "$free_gib GiB are free for images, under $wanted_gib: removing unused ones"
    timeout --kill-after=10 300 docker image prune --all --force --filter until=168h ||
      echo 'warning: the images were not removed'
  fi
fi
echo "::$token::"
echo '::endgroup::'
