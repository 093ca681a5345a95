"""From where parts should be to how joints turn: each stage a continuous function of what is wanted."""
