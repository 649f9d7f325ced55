#!/usr/bin/env python3
"""Writes a result folder in formats of other programs: python3 results/export/export.py DIR --tensorboard OUT --mlflow OUT

--tensorboard: event files, for `tensorboard --logdir OUT`. --mlflow: a file store, for `mlflow ui --backend-store-uri OUT`. Reads files
only: DIR/summary.csv, each run's manifest.json and trace.csv; the same files give the same bytes. OUT appears whole or not at all.
Prints the paths written. Exit status 0; 1 when there is nothing to export or a file is damaged. 2 for a wrong command line or an OUT
that is there already. 69 without numpy; 74 when OUT cannot be written.
"""

import argparse
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # the folder of the packages

from plot.files import script

try:
    from plot.files.reading import read_results
except ImportError as missing:
    script.without("python3-numpy", missing, "results are read with numpy", "results/export/export.py")
from export import mlflow, publishing, tensorboard
from export.contents import contents
from plot.files.naming import printable


def parse(arguments):
    parser = argparse.ArgumentParser(prog="export.py", description="Hogwild runs for other programs, from their files alone.",
                                     epilog="Example: python3 results/export/export.py hogwild-out/first --tensorboard tb")
    parser.add_argument("folder", metavar="DIR", help="a folder that `hogwild run -o DIR` or a sweep wrote")
    parser.add_argument("--tensorboard", metavar="OUT", help="write event files, a folder for each run")
    parser.add_argument("--mlflow", metavar="OUT", help="write a file store with one experiment")
    parser.add_argument("--overwrite", action="store_true", help="replace an OUT that is an earlier export")
    options = parser.parse_args(arguments)
    if options.tensorboard is None and options.mlflow is None:
        parser.error("nothing to write (no format is named); add --tensorboard OUT or --mlflow OUT")
    return options


def outputs(options):
    """{format: where it goes}, once nothing is in the way of any."""
    asked = {"tensorboard": options.tensorboard, "mlflow": options.mlflow}
    found = {form: publishing.free(path, options.overwrite) for form, path in asked.items() if path is not None}
    results = Path(options.folder).resolve()
    for form, target in found.items():
        if target.resolve() in (results, *results.parents):
            raise publishing.Taken(f"{asked[form]}: not written", f"{options.folder}, which is read, lies in it", "name another folder")
    if len(set(found.values())) < len(found):
        raise publishing.Taken(f"{options.mlflow}: not written", "it is named for two formats", "give each a folder of its own")
    return found


def main(arguments):
    options = parse(arguments)
    results = read_results([options.folder])
    targets = outputs(options)
    runs = contents(results)
    script.warn(results.warnings)
    for form, target in targets.items():
        with publishing.published(target) as folder:
            if form == "tensorboard":
                tensorboard.write(folder, runs)
            else:
                mlflow.write(folder, runs, Path(options.folder).resolve().name, target)
        print(printable(getattr(options, form)))


if __name__ == "__main__":
    try:
        script.run(main, "hogwild: ")
    except KeyboardInterrupt:
        sys.exit(130)
