"""Speech: text to sound with the time of every phone, recordings aligned to their transcripts, times from files."""

from mummer.behavior.speech.align import align
from mummer.behavior.speech.audio import Audio, read_wav, write_wav
from mummer.behavior.speech.say import Said, say
from mummer.behavior.speech.speak import Speech, utterance_of
from mummer.behavior.speech.synthesize import synthesize
from mummer.behavior.speech.times import read_times
from mummer.behavior.speech.utterance import Phone, Utterance, Word

__all__ = [
    "Audio", "Phone", "Said", "Speech", "Utterance", "Word", "align", "read_times", "read_wav", "say", "synthesize",
    "utterance_of", "write_wav",
]  # fmt: skip
