"""Axis & Allies: Stalingrad. Two seats, two linked boards, fourteen order cards a round.

Identifiers are the rulebook's terms. Those that are called differently here:

* Unit type: `kind` of a piece; the row of the reference chart, by which bombers name a target: `type`.
* Region Board, City Board: the maps `region` and `city`.
* Supply line exit zone: `exit`. Reinforcement entry zone: `entry`, `storm`, `free_infantry`.
* Reinforcement Point Certificates: the tracks `rpc/axis` and `rpc/allies`.
"""
