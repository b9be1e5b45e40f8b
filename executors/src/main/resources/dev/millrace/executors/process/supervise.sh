# The part of run.sh that is the same for every step. It outlives the server, so it depends on nothing but files here.
# Set above: deadline (seconds left, or empty), grace (seconds), capture and lingering (yes or empty), the names of the
# containers (inits in order, of which natives are sidecars; mains; sidecars), retries and pause (seconds) of mains,
# launch NAME, and needs NAME, which sets $needed to what a main container waits for.

# Caught, not ignored: an ignored signal would stay ignored in the step's own processes.
trap : TERM INT HUP

# 1. Claim. A process id alone may be another process tomorrow; with its start time it cannot.
if [ -r "/proc/$$/stat" ]; then
    read -r stat <"/proc/$$/stat"
    stat=${stat##*) }
    # shellcheck disable=SC2086
    set -- $stat
    born=${20}
else
    born=$(LC_ALL=C ps -o lstart= -p $$ | tr -s ' ' '_')
fi
set -C
echo "$$ $born" >claim || exit 75
set +C

# 2. Containers. Each has a folder, $at: begun says that it was begun, status names the leader of the process group that
# holds all of it and nothing else, code has its exit code once it has ended for good.
place() {
    at=.
    [ "$1" = main ] || at=./containers/$1
}
ending() { [ -e deadline ] || [ -e stop.json ]; }

# Whether one of these containers was begun and has not ended; $pids are the leaders of those that run.
alive() {
    pids=
    some=
    for c in "$@"; do
        place "$c"
        if [ -e "$at/begun" ] && [ ! -s "$at/code" ]; then
            some=yes
            pid=
            [ -r "$at/status" ] && read -r line <"$at/status" && pid=${line#*\"child-pid\": } && pid=${pid%%,*}
            pids="$pids $pid"
        fi
    done
    [ -n "$some" ]
}

# Ends these containers: asked first, and after the grace period forced. One that was begun just now is asked when it runs.
finish() {
    told=' '
    left=$((grace * 10))
    while [ "$left" -gt 0 ] && alive "$@"; do
        for pid in $pids; do
            case $told in *" $pid "*) continue ;; esac
            kill -s TERM -- "-$pid"
            told="$told$pid "
        done
        sleep 0.1
        left=$((left - 1))
    done
    while alive "$@"; do
        for pid in $pids; do kill -s KILL -- "-$pid"; done
        sleep 0.1
    done
}

# Output goes to files; where the result is wanted, standard output of main goes to a second file as well.
once() {
    if [ "$1" = main ] && [ -n "$capture" ]; then
        [ -p pipe ] || mkfifo pipe
        tee -a main.log <pipe >stdout &
        tee=$!
        launch main >pipe 2>>main.log
        code=$?
        # A process that the step left behind may hold the pipe open for ever.
        [ -n "$lingering" ] && { sleep 1; kill -s TERM "$tee"; } &
        wait "$tee"
    else
        launch "$1" >>"$1.log" 2>&1
        code=$?
    fi
}

# Runs a container to its end, as often as its role asks for.
run() {
    code=0
    needs "$1"
    for other in $needed; do
        place "$other"
        until [ -s "$at/code" ]; do sleep 0.1; done
        read -r code <"$at/code"
        [ "$code" = 0 ] || { code=64; break; }
    done
    if [ "$code" = 0 ]; then
        again=0
        while :; do
            ending && { code=143; break; }
            once "$1"
            case $2 in
                native) [ -e over ] || ending || { sleep 1; [ -e over ] || { place "$1"; rm -f "$at/status"; continue; }; } ;;
                main) [ "$code" != 0 ] && [ "$again" -lt "$retries" ] && ! ending && {
                    again=$((again + 1))
                    place "$1"
                    rm -f "$at/status"
                    sleep "$pause"
                    continue
                } ;;
            esac
            break
        done
    fi
    place "$1"
    echo "$code" >"$at/code"
}
begin() {
    place "$1"
    : >"$at/begun"
    run "$1" "$2" &
}

# 3. Deadline.
if [ -n "$deadline" ]; then
    (
        sleep "$deadline"
        : >deadline
        # shellcheck disable=SC2086
        finish $inits $mains $sidecars
    ) &
fi

# 4. Run, in the order of a pod.
good=yes
for name in $inits; do
    case " $natives " in
        *" $name "*) begin "$name" native ;;
        *)
            place "$name"
            : >"$at/begun"
            run "$name" init
            [ "$code" = 0 ] || { good=; break; }
            ;;
    esac
done
if [ -n "$good" ] && ! ending; then
    for name in $sidecars; do begin "$name" sidecar; done
    # shellcheck disable=SC2086
    set -- $mains
    if [ $# = 1 ]; then
        place "$1"
        : >"$at/begun"
        run "$1" main
    else
        runners=
        for name in "$@"; do
            begin "$name" main
            runners="$runners $!"
        done
        for runner in $runners; do
            while kill -s 0 "$runner" 2>/dev/null; do wait "$runner"; done
        done
    fi
fi
: >over
# shellcheck disable=SC2086
[ -z "$sidecars" ] || finish $sidecars
# shellcheck disable=SC2086
[ -z "$natives" ] || finish $natives

# 5. Tell, then end what this shell started beside the step (it is the leader of its own process group).
: >ended
kill -s TERM 0
exit 0
