"""Names that stand for a network's layers (engine/network/network.h), but for those of perceptrons."""

from plot.files.axes import LISTED

NAMES = {each["name"]: each["layers"] for each in LISTED["networks"]}


def short_text(text):
    """Layers of a name as that name, with any number of classes; else the text on a line."""
    line = "; ".join(filter(None, (" ".join(layer.split()) for layer in text.split(";"))))
    classes = line.rpartition(" ")[2]
    return next((name for name, layers in NAMES.items() if layers.format(classes=classes) == line), line)
