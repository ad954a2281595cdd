package adapter;

import java.util.List;

/** Decisions as lines of JSON. */
final class Answer {
    private Answer() {}

    static String of(Line turn, String action) {
        return "{\"turn_id\":\"" + turn.text("id") + "\",\"action\":\"" + action + "\"}";
    }

    static String of(Line turn, String action, int card) {
        return with(of(turn, action), "\"card\":" + card);
    }

    static String of(Line turn, String action, List<List<Integer>> melds) {
        return with(of(turn, action), "\"melds\":{\"melds\":" + melds + "}"); // a list prints as JSON writes it
    }

    static String of(Line turn, String action, int card, List<List<Integer>> melds) {
        return with(of(turn, action, melds), "\"card\":" + card);
    }

    private static String with(String object, String field) {
        return object.substring(0, object.length() - 1) + "," + field + "}";
    }
}
