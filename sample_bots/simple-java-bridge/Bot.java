import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * simple-java-bridge: a bot in Java with no library. {@code arena bridge} gives it a line of JSON for each question, and
 * it writes one for each answer.
 *
 * <p>A card is 13 * suit + rank: suits clubs, diamonds, hearts, spades from 0, the ace 0. So the ace of clubs is 0, the
 * king of spades 51.
 */
public class Bot {

    // ---- The policy: this is the place for your ideas. ----

    static int rank(int card) {
        return card % 13;
    }

    static int suit(int card) {
        return card / 13;
    }

    /** Whether a card makes a set or a run with two cards in hand, in other melds or not. */
    static boolean makesMeld(int card, List<Integer> hand) {
        if (hand.stream().filter(other -> rank(other) == rank(card)).count() >= 2) return true;
        for (int low = card - 2; low <= card; low++) { // the runs of three with the card in them
            if (low < 0 || low + 2 >= 52 || suit(low) != suit(low + 2)) continue;
            int held = 0;
            for (int other = low; other <= low + 2; other++) {
                if (other != card && hand.contains(other)) held++;
            }
            if (held == 2) return true;
        }
        return false;
    }

    /**
     * The card whose absence leaves the least deadwood; of equals the highest rank, then the highest suit. Without hints
     * there is no deadwood, and all cards count as equal.
     */
    static int chooseDiscard(List<Integer> discards, List<Integer> deadwood) {
        int best = 0;
        for (int i = 1; i < discards.size(); i++) {
            int less = deadwood.isEmpty() ? 0 : deadwood.get(best) - deadwood.get(i);
            int higher = rank(discards.get(i)) - rank(discards.get(best));
            if (less > 0 || less == 0 && higher >= 0) best = i; // the cards ascend: of equal ranks the last wins
        }
        return discards.get(best);
    }

    /** What to answer, as a JSON object. */
    static String decide(Turn turn) {
        List<Integer> hand = turn.numbers("hand");
        switch (turn.text("kind")) {
            case "TURN_KIND_UPCARD":
                return turn.answer(makesMeld(turn.top(), hand) ? "ACTION_TAKE" : "ACTION_PASS");
            case "TURN_KIND_DRAW":
                boolean last = turn.legal("ACTION_PASS"); // may be taken only to knock with it, which needs the hints
                boolean takes = makesMeld(turn.top(), hand) && (!last || !turn.numbers("deadwood").isEmpty());
                return turn.answer(takes ? "ACTION_PILE" : last ? "ACTION_PASS" : "ACTION_STOCK");
            case "TURN_KIND_DISCARD":
                int card = chooseDiscard(turn.numbers("discards"), turn.numbers("deadwood"));
                return turn.answer(turn.numbers("knocks").contains(card) ? "ACTION_KNOCK" : "ACTION_DISCARD", card);
            case "TURN_KIND_DEFEND":
                return turn.answer("ACTION_DEFEND"); // the arena lays down the best
            default:
                throw new IllegalArgumentException("what is asked is not known: " + turn.text("kind"));
        }
    }

    // ---- The lines. ----

    /** A turn: a line of JSON, and what can be read of it. */
    record Turn(String line) {

        /** The text of a field. It has no escapes where the arena chooses the words. */
        String text(String key) {
            int start = after(key) + 1;
            return line.substring(start, line.indexOf('"', start));
        }

        /** The numbers of a field: of an array, one alone, or none for null. */
        List<Integer> numbers(String key) {
            List<Integer> found = new ArrayList<>();
            int at = after(key);
            while ("[,0123456789".indexOf(line.charAt(at)) >= 0) {
                int end = at;
                while (Character.isDigit(line.charAt(end))) end++;
                if (end > at) found.add(Integer.valueOf(line.substring(at, end)));
                at = Math.max(end, at + 1);
            }
            return found;
        }

        /** The card on top of the discard pile, which may be taken. */
        int top() {
            List<Integer> pile = numbers("discard_pile");
            return pile.get(pile.size() - 1);
        }

        /** Whether an action is open, such as "ACTION_STOCK". */
        boolean legal(String action) {
            int start = after("legal");
            return line.substring(start, line.indexOf(']', start)).contains('"' + action + '"');
        }

        String answer(String action) {
            return "{\"turn_id\":\"" + text("id") + "\",\"action\":\"" + action + "\"}";
        }

        String answer(String action, int card) {
            return "{\"turn_id\":\"" + text("id") + "\",\"action\":\"" + action + "\",\"card\":" + card + "}";
        }

        private int after(String key) {
            String wanted = '"' + key + "\":";
            int found = line.indexOf(wanted);
            if (found < 0) throw new IllegalArgumentException("no " + wanted + " in " + line);
            return found + wanted.length();
        }
    }

    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        var out = new PrintStream(System.out, true, StandardCharsets.US_ASCII); // flushes after each line
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("{\"turn\":")) { // setups and notices are not looked at
                out.println(decide(new Turn(line)));
            }
        }
    }
}
