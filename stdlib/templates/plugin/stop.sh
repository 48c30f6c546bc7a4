# Written by `bmad hook install --plugin`. Where the program is gone, another one on the path does; where there is none,
# the agent may stop.
for program in {{program}} "$(command -v bmad)"; do
  if [ -x "$program" ]; then
    "$program" hook stop
    exit 0
  fi
done
echo "the stop hook of the review is off: bmad is not installed; \`bmad hook install\` sets it up again" >&2
exit 0
