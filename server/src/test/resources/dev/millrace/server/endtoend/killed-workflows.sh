# Read by every step of killed-workflows.yaml, with the names of its pod and of its workflow. The working folder is shared by
# all steps, outside of what the server knows: who ran, who holds what, and what went wrong.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
pod=$1 workflow=$2
echo "$pod ${EPOCHREALTIME/[.,]/}" >> "runs/$workflow"

violation() { echo "$pod: $*" >> violations; }

# take NAME LIMIT HOLDER: one of the places that the server's lock is to guard; making a folder is atomic.
take() {
    for ((i = 1; i <= $2; i++)); do
        if mkdir "held/$1.$i" 2>/dev/null; then echo "$3" > "holders/$1.$i"; return; fi
    done
    violation "$1 is full: $(cat holders/"$1".*)"
}

# keeps NAME HOLDER: the place is still this holder's.
keeps() {
    for held in held/"$1".*; do
        if [ "$(cat "holders/${held#held/}" 2>/dev/null)" = "$2" ]; then place=${held#held/}; return; fi
    done
    place=none
    violation "$2 does not hold $1 any more"
}

give() { keeps "$1" "$2"; rmdir "held/$place" || violation "$place of $1 was given back already"; }

work() { sleep "0.$((RANDOM % 6 + 1))"; }
