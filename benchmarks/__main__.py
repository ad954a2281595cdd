"""`python -m benchmarks`. What it starts in processes of its own need not load all that is measured."""

from benchmarks.bench import main

main()
