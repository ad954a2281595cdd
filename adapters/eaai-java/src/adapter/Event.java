package adapter;

import java.util.ArrayList;
import java.util.List;

/**
 * A public event of a hand.
 *
 * @param mine whether this player has done it
 * @param action what was done, by the numbers of the protocol
 * @param card what was taken or discarded, {@link #HIDDEN} where it could not be seen
 */
record Event(boolean mine, int action, int card) {
    static final int PASS = 1;
    static final int TAKE = 2;
    static final int STOCK = 3;
    static final int PILE = 4;
    static final int DISCARD = 5;
    static final int KNOCK = 6;
    static final int HIDDEN = 255;

    /** The events of a turn's or a notice's history, two numbers each. */
    static List<Event> history(Line line) {
        int position = line.text("role").equals("ROLE_NONDEALER") ? 0 : 1;
        List<Integer> numbers = line.numbers("history");
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i += 2) {
            int head = numbers.get(i);
            events.add(new Event(head / 16 == position, head % 16, numbers.get(i + 1)));
        }
        return events;
    }

    boolean isDiscard() {
        return action == DISCARD || action == KNOCK;
    }

    boolean isFromPile() {
        return action == TAKE || action == PILE;
    }
}
