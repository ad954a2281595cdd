package adapter;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of the bridge: a JSON object without spaces, in which a field is found by its name. See docs/bridge.md.
 *
 * <p>Only fields whose names occur once in a line are read here.
 */
record Line(String json) {

    /** The text of a field. It has no escapes where the arena chooses the words. */
    String text(String key) {
        int start = after(key) + 1;
        return json.substring(start, json.indexOf('"', start));
    }

    /** The numbers of a field: of an array, one alone, or none for null. */
    List<Integer> numbers(String key) {
        return numbersAt(after(key), "[,");
    }

    /** The one number of a field. */
    int number(String key) {
        return numbers(key).get(0);
    }

    /** The arrays in the array of a field. */
    List<List<Integer>> lists(String key) {
        List<List<Integer>> found = new ArrayList<>();
        int at = after(key) + 1;
        while (json.charAt(at) != ']') {
            if (json.charAt(at) == '[') {
                found.add(numbersAt(at + 1, ","));
                at = json.indexOf(']', at);
            }
            at++;
        }
        return found;
    }

    /** Whether a field is true. */
    boolean isTrue(String key) {
        return json.startsWith("true", after(key));
    }

    /** Whether an action is open at a turn. */
    boolean allows(String action) {
        int start = after("legal");
        return json.substring(start, json.indexOf(']', start)).contains('"' + action + '"');
    }

    private List<Integer> numbersAt(int at, String between) {
        List<Integer> found = new ArrayList<>();
        int value = -1;
        for (char next = json.charAt(at); ; next = json.charAt(++at)) {
            if (Character.isDigit(next)) {
                value = Math.max(value, 0) * 10 + next - '0';
                continue;
            }
            if (value >= 0) {
                found.add(value);
            }
            value = -1;
            if (between.indexOf(next) < 0) {
                return found;
            }
        }
    }

    private int after(String key) {
        String wanted = '"' + key + "\":";
        int found = json.indexOf(wanted);
        if (found < 0) {
            throw new IllegalArgumentException("no " + wanted + " in " + json);
        }
        return found + wanted.length();
    }
}
