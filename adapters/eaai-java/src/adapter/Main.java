package adapter;

import ginrummy.GinRummyPlayer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A bot of the EAAI gin rummy framework in the arena: {@code Main CLASS}, as a program of {@code arena bridge}. */
public final class Main {
    private final Constructor<? extends GinRummyPlayer> bot;
    private final Map<String, Seat> seats = new HashMap<>(); // by game, as many go on at once

    private Main(Constructor<? extends GinRummyPlayer> bot) {
        this.bot = bot;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII); // flushes after each line
        System.setOut(System.err); // what the bot prints goes to its log: lines of standard output are decisions
        if (arguments.length != 1) {
            throw leave("expected one argument, the class of the bot, such as ginrummy.SimpleGinRummyPlayer");
        }
        Main main = new Main(find(arguments[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer = main.read(new Line(line));
            if (answer != null) {
                out.println(answer);
            }
        }
        System.exit(0); // even if the bot has left threads behind
    }

    /** Take in a line. Gives the answer to a turn, and null for all else. */
    private String read(Line line) {
        if (line.json().startsWith("{\"setup\":")) {
            if (line.text("game").equals("GAME_THREE_HAND")) {
                throw leave("the EAAI framework has games of two players only; bot.yaml says `games: [gin, oklahoma]`");
            }
        } else if (line.json().startsWith("{\"turn\":")) {
            return seatFor(line).decide(line);
        } else if (line.json().startsWith("{\"hand_over\":")) {
            Seat seat = seats.get(line.text("game_id"));
            if (seat != null) {
                seat.handOver(line);
            }
        } else if (line.json().startsWith("{\"game_over\":")) {
            seats.remove(line.text("game_id"));
        }
        return null;
    }

    private Seat seatFor(Line turn) {
        Seat seat = seats.get(turn.text("game_id"));
        if (seat == null || !seat.leadsTo(turn)) {
            seat = new Seat(newBot());
            seats.put(turn.text("game_id"), seat);
        }
        return seat;
    }

    private GinRummyPlayer newBot() {
        try {
            return bot.newInstance();
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("the bot's constructor failed", error);
        }
    }

    private static Constructor<? extends GinRummyPlayer> find(String name) {
        try {
            Class<? extends GinRummyPlayer> found = Class.forName(name).asSubclass(GinRummyPlayer.class);
            Constructor<? extends GinRummyPlayer> constructor = found.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (ClassNotFoundException error) {
            throw leave("there is no class " + name + " on the class path " + System.getProperty("java.class.path"));
        } catch (ClassCastException error) {
            throw leave(name + " is no bot: expected a class that implements ginrummy.GinRummyPlayer");
        } catch (NoSuchMethodException error) {
            throw leave(name + " cannot be made: expected a constructor without arguments");
        } catch (LinkageError error) {
            throw leave(name + " cannot be loaded: " + error);
        }
    }

    /** End the process with what is wrong, in a line of its own. */
    private static RuntimeException leave(String message) {
        System.err.println(message);
        System.exit(2);
        return new IllegalStateException(message); // for the compiler: nothing comes after the end
    }
}
