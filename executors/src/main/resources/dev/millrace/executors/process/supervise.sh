# The part of run.sh that is the same for every step. It outlives the server, so it depends on nothing but files here.
# Set above: deadline (seconds left, or empty), grace (seconds), capture and lingering (yes or empty), launch().

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

# 2. Deadline. The step's processes form a group of their own, led by the process named in status.
leader() {
    pid=
    [ -r status ] && read -r line <status && pid=${line#*\"child-pid\": } && pid=${pid%%,*}
    [ -n "$pid" ]
}
if [ -n "$deadline" ]; then
    (
        sleep "$deadline"
        : >deadline
        until leader; do sleep 0.1; done
        kill -s TERM -- "-$pid"
        sleep "$grace"
        kill -s KILL -- "-$pid"
    ) &
fi

# 3. Run. Output goes to files; where the result is wanted, standard output goes to a second file as well.
if [ -n "$capture" ]; then
    mkfifo pipe
    tee -a log <pipe >stdout &
    tee=$!
    launch >pipe 2>>log
    code=$?
    # A process that the step left behind may hold the pipe open for ever.
    [ -n "$lingering" ] && { sleep 1; kill -s TERM "$tee"; } &
    wait "$tee"
else
    launch >>log 2>&1
    code=$?
fi

# 4. Tell, then end what this shell started beside the step (it is the leader of its own process group).
echo "$code" >exitcode.new
mv exitcode.new exitcode
kill -s TERM 0
exit 0
