# An agent that notes every turn it is paid for in the file $1, outside the project, and adds to a file of the project
# where it may: done twice, its work is there twice.
turn=$(cat)
# An engine that is killed while it speaks leaves half a prompt: nobody acts on that.
case "$turn" in *"# Your reply"*) ;; *) exit 1 ;; esac
name=$(printf '%s' "$turn" | grep -o 'turn-[0-9]*' | head -n 1)
echo "$name" >> "$1"
case "$turn" in
  *"You may change files"*)
    mkdir -p out
    echo "begun by $name" >> out/diary-of-the-day.md
    echo "ended by $name" >> "out/$name.md"
    ;;
esac
printf '{"text": "reply %s"}\n' "$name"
