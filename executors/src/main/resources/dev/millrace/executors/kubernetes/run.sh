# How a container runs in a pod whose containers must know of each other. It lies in a folder that they all share,
# beside the shell that runs it, since an image may have none. Arguments: options, --, the command.
#   --name NAME       of this container
#   --after NAME      a container that must have succeeded before; may be repeated
#   --with NAME       a main container; when all of these have ended, this one is ended. May be repeated
#   --grace SECONDS   how long it may take to end then
#   --retries N, --pause SECONDS   how often the command is run again if it fails
# ended/NAME holds the exit code of a container that has ended for good; alive/NAME changes while it has not.
d=${0%/*}
name=
after=
with=
grace=30
retries=0
pause=0
while [ "$1" != -- ]; do
    case $1 in
        --name) name=$2 ;;
        --after) after="$after $2" ;;
        --with) with="$with $2" ;;
        --grace) grace=$2 ;;
        --retries) retries=$2 ;;
        --pause) pause=$2 ;;
        *)
            echo "millrace: unknown option $1" >&2
            exit 64
            ;;
    esac
    shift 2
done
shift

child=
told=
tell() {
    told=yes
    [ -z "$child" ] || kill -s TERM "$child" 2>/dev/null
}
trap tell TERM
nap() { "$d/busybox" sleep "$1"; }

beat=0
(
    while :; do
        beat=$((beat + 1))
        echo "$beat" >"$d/alive/$name"
        nap 1
    done
) &
heart=$!
watch=

end() {
    kill "$heart" $watch 2>/dev/null
    # Whole or not at all: others look for it.
    echo "$1" >"$d/ended/.$name"
    "$d/busybox" mv "$d/ended/.$name" "$d/ended/$name"
    exit "$1"
}

# Waits for the end of a container. One that was killed with all that is in it, as for want of memory, cannot say so:
# it counts as failed when it has shown no life for a minute.
ended() {
    seen=
    still=0
    until [ -s "$d/ended/$1" ]; do
        [ -z "$told" ] || return 1
        now=
        [ ! -e "$d/alive/$1" ] || read -r now <"$d/alive/$1"
        if [ -n "$now" ] && [ "$now" = "$seen" ]; then
            still=$((still + 1))
            [ "$still" -lt 600 ] || return 1
        else
            seen=$now
            still=0
        fi
        nap 0.1
    done
    read -r code <"$d/ended/$1"
}

for other in $after; do
    code=64
    ended "$other"
    [ -z "$told" ] || end 143
    if [ "$code" != 0 ]; then
        echo "millrace: not run, since container $other failed" >&2
        end 64
    fi
done

# Standard input of what runs in the background is none, unless it is given another number.
exec 3<&0
again=0
while :; do
    [ -z "$told" ] || end 143
    (exec "$@" <&3 3<&-) &
    child=$!
    # It may have come in between.
    [ -z "$told" ] || tell
    if [ -n "$with" ]; then
        (
            for other in $with; do ended "$other"; done
            kill -s TERM "$child"
            nap "$grace"
            kill -s KILL "$child"
        ) 2>/dev/null &
        watch=$!
    fi
    # A signal also ends the waiting.
    wait "$child"
    code=$?
    while kill -0 "$child" 2>/dev/null; do
        wait "$child"
        code=$?
    done
    child=
    [ "$code" != 0 ] && [ "$again" -lt "$retries" ] && [ -z "$told" ] || end "$code"
    again=$((again + 1))
    nap "$pause"
done
