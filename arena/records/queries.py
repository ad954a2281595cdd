"""What is asked of a run's file, and done to it, in SQL. The tables are in `arena.records.database`."""

GAME_COLUMNS = 6
"""Of a game of the schedule, where a row begins with one: its number, group and seating, and who sits where."""
GAMES = "SELECT game, deal_group, seating, seat0, seat1, seat2 FROM games ORDER BY game"
GAME = "SELECT game, deal_group, seating, seat0, seat1, seat2 FROM games WHERE game = ?"
# Of the games from one to another. The tables are kept in this order, so that nothing is sorted.
FINISHED = (
    "SELECT game, deal_group, seating, seat0, seat1, seat2, outcome, advised FROM results LEFT JOIN games USING (game) "
    "WHERE game BETWEEN ? AND ? ORDER BY game LIMIT ?"
)
HANDS = "SELECT game, number, line FROM hands WHERE game BETWEEN ? AND ? ORDER BY game, number"
FAULTS = (
    "SELECT game, number, seat, hand, move, kind, detail, output FROM faults "
    "WHERE game BETWEEN ? AND ? ORDER BY game, number"
)
TIMES = (
    "SELECT game, decisions, total, worst, histogram, overtime FROM times "
    "WHERE game BETWEEN ? AND ? ORDER BY game, seat"
)
FAULTS_BY_GAME = (
    "SELECT results.game, seat0, seat1, seat2, seat FROM results JOIN games USING (game) "
    "LEFT JOIN faults ON faults.game = results.game AND kind != ? ORDER BY results.game, number"
)
EVERY_FAULT = (
    "SELECT games.game, deal_group, seating, seat0, seat1, seat2, seat, hand, move, kind, detail, output, line "
    "FROM faults JOIN games USING (game) LEFT JOIN hands ON hands.game = faults.game AND hands.number = hand "
    "ORDER BY games.game, faults.number"
)
OPEN_GROUPS = (
    "SELECT DISTINCT deal_group FROM games LEFT JOIN results ON results.game = games.game WHERE results.game IS NULL"
)
VOIDS = "SELECT game, attempt, kind, detail FROM voids ORDER BY game, attempt"
VOID = "INSERT INTO voids SELECT ?, count(*) + 1, ?, ? FROM voids WHERE game = ?"
FORGET = tuple(f"DELETE FROM {table} WHERE game = ?" for table in ("results", "hands", "faults", "times"))
