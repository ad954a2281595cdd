package adapter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a player was dealt and has drawn in a hand, worked out backwards from what it holds now.
 *
 * <p>A history does not say what a player drew from the stock. A process that has been there knows; one that is started
 * in the middle of a hand finds cards that agree with everything that was seen.
 *
 * @param dealt the ten cards that the hand began with
 * @param drawn by event, the card of a draw from the stock of its own
 */
record Past(List<Integer> dealt, int[] drawn) {

    static Past of(Line turn, List<Event> history) {
        List<Integer> held = new ArrayList<>(turn.numbers("hand"));
        List<Integer> justDrawn = turn.numbers("drawn"); // one card at a discard, else none
        int[] drawn = new int[history.size()];
        Arrays.fill(drawn, Event.HIDDEN);
        for (int i = history.size() - 1; i >= 0; i--) {
            Event event = history.get(i);
            if (!event.mine()) {
                continue;
            }
            if (event.isDiscard()) {
                held.add(event.card());
            } else if (event.isFromPile()) {
                held.remove((Integer) event.card());
            } else if (event.action() == Event.STOCK) {
                boolean isLast = i == history.size() - 1;
                drawn[i] = isLast && !justDrawn.isEmpty() ? justDrawn.get(0) : guess(history, i, held);
                held.remove((Integer) drawn[i]);
            }
        }
        return new Past(held, drawn);
    }

    /** A card held after a draw from the stock that had not been seen before: if it can be, what was discarded then. */
    private static int guess(List<Event> history, int draw, List<Integer> held) {
        List<Integer> seen = history.subList(0, draw).stream().map(Event::card).toList();
        int discarded = history.get(draw + 1).card();
        return seen.contains(discarded)
                ? held.stream().filter(card -> !seen.contains(card)).findFirst().orElseThrow()
                : discarded;
    }
}
