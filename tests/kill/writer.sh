# An agent that acknowledges everything, notes every turn it is paid for in the file $1, outside the project, and adds
# a line to the document each time: done twice, its work is there twice.
turn=$(cat)
# An engine that is killed while it speaks leaves half a prompt: nobody acts on that.
case "$turn" in *"# Your reply"*) ;; *) exit 1 ;; esac
name=$(printf '%s' "$turn" | cksum | cut -d ' ' -f 1)
echo "$name" >> "$1"
document=_bmad-output/planning-artifacts/prd.md
if [ ! -e "$document" ]; then
  mkdir -p "$(dirname "$document")"
  printf -- '---\nstepsCompleted: []\n---\n\n# PRD\n\n' > "$document"
fi
echo "- $name" >> "$document"
printf '%s\n' "$turn" | awk -v name="$name" '
  /^# / { part = $2 }
  /^[0-9]+\. / && part == "Instructions" { done = done sep1 "{\"n\": " ++n1 ", \"status\": \"done\"}"; sep1 = ", " }
  /^[0-9]+\. / && part == "Conditions" { held = held sep2 "{\"n\": " ++n2 ", \"holds\": false, \"evidence\": \"no\"}"; sep2 = ", " }
  END { printf "{\"instructions\": [%s], \"judgements\": [%s], \"text\": \"reply %s\"}\n", done, held, name }'
