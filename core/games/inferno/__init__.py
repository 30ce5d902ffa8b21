"""Stalingrad: Inferno on the Volga. One to three playing seats; in two of four modes the rules play the Soviet side.

Identifiers are the rulebook's terms. Those that are called differently here:

* Spawn box, Spawn Pool: pool.
* Uberblock: the markers `raus` and `chuikov`, since they are not units.
* Soviet Infantry that the rulebook tells apart without a name of its own (Rifle Divisions and Brigades): `division`, `brigade`.
"""
