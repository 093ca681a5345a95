"""The clip language: everything that moves is a clip, made of clips."""
