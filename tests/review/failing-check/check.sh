#!/bin/sh
grep -q "four times" plan.md || { echo "the plan does not say four times"; exit 1; }
