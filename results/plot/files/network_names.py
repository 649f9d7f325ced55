"""Names that stand for a network's layers (engine/network/network.h), but for those of perceptrons."""

NAMES = {"lenet": "conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense {classes}",
         "cnn-32-64": "conv 32 3 pad 1 relu; maxpool 2; conv 64 3 pad 1 relu; maxpool 2; dense 128 relu; dense {classes}",
         "fcn-r": "dense 2048 sigmoid; dense 4096 sigmoid; dense 1024 sigmoid; dense 10"}


def short_text(text):
    """Layers of a name as that name, with any number of classes; else the text on a line."""
    line = "; ".join(filter(None, (" ".join(layer.split()) for layer in text.split(";"))))
    classes = line.rpartition(" ")[2]
    return next((name for name, layers in NAMES.items() if layers.format(classes=classes) == line), line)
