"""What runs in the child process: readers that lean on native libraries which a hostile file may bring down.

Modules here import the standard library, the native binding and one another, nothing else of mummer and no numpy: a
child starts in a tenth of a second. They say what a file holds, as plain values and flat arrays, and decide nothing;
the parent process judges and assembles.
"""
