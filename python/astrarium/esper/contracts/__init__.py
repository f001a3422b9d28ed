"""What the rooms of Esper tell each other: enums, frozen types and the tables behind them.

Nothing here imports another room, and nothing here needs torch.
"""
