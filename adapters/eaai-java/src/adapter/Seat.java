package adapter;

import ginrummy.Card;
import ginrummy.GinRummyPlayer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** One game of one bot: it is told what happens, and asked, in the order of its framework. README.md says which. */
final class Seat {
    private static final int ME = 0; // the player numbers that the bot is told
    private static final int OPPONENT = 1;
    private static final List<String> SHOWDOWNS =
            List.of("HAND_END_KNOCK", "HAND_END_GIN", "HAND_END_BIG_GIN", "HAND_END_UNDERCUT", "HAND_END_TIE");

    private final GinRummyPlayer player;
    private int handNumber;
    private final List<Event> told = new ArrayList<>(); // what the bot knows of the hand
    private final List<Integer> held = new ArrayList<>();
    private final Deque<Integer> pile = new ArrayDeque<>(); // its top first
    private boolean hasAskedDraw; // whether the bot has already said where it draws next
    private boolean hasDefended;

    Seat(GinRummyPlayer player) {
        this.player = player;
    }

    /** Whether a turn comes after all that this bot knows. It does not when the arena asks something again. */
    boolean leadsTo(Line turn) {
        if (turn.number("hand_number") != handNumber) {
            return turn.number("hand_number") > handNumber;
        }
        List<Event> history = Event.history(turn);
        boolean isAskedAgain = hasDefended || (hasAskedDraw && history.size() == told.size());
        return !isAskedAgain && startsWithTold(history);
    }

    /** The decision on a turn, after all that has happened since the last one. */
    String decide(Line turn) {
        catchUp(turn);
        return switch (turn.text("kind")) {
            case "TURN_KIND_UPCARD" -> Answer.of(turn, takesTop() ? "ACTION_TAKE" : "ACTION_PASS");
            case "TURN_KIND_DRAW" -> draw(turn);
            case "TURN_KIND_DISCARD" -> discard(turn);
            case "TURN_KIND_DEFEND" -> defend(turn);
            default -> throw new IllegalArgumentException("what is asked is not known: " + turn.text("kind"));
        };
    }

    private void catchUp(Line turn) {
        List<Event> history = Event.history(turn);
        Past past = Past.of(turn, history);
        if (turn.number("hand_number") != handNumber) {
            start(turn, past.dealt());
        }
        for (int i = told.size(); i < history.size(); i++) {
            Event event = history.get(i);
            if (event.mine()) {
                tellOwn(event, past.drawn()[i]);
            } else {
                tellOther(event);
            }
        }
    }

    private void start(Line turn, List<Integer> dealt) {
        handNumber = turn.number("hand_number");
        told.clear();
        held.clear();
        held.addAll(dealt);
        pile.clear();
        pile.push(turn.number("upcard"));
        hasAskedDraw = false;
        hasDefended = false;
        boolean isFirst = turn.text("role").equals("ROLE_NONDEALER");
        player.startGame(ME, isFirst ? ME : OPPONENT, Cards.cards(dealt).toArray(new Card[0]));
    }

    private boolean takesTop() {
        hasAskedDraw = true;
        return player.willDrawFaceUpCard(Cards.card(pile.peek()));
    }

    /** Where to draw. The last discard, with which one has to knock, is unknown to the framework: it is left. */
    private String draw(Line turn) {
        if (turn.allows("ACTION_PASS")) {
            return Answer.of(turn, "ACTION_PASS");
        }
        return Answer.of(turn, takesTop() ? "ACTION_PILE" : "ACTION_STOCK");
    }

    /** A discard, and with it the knock, which the bot decides on when its card is gone. */
    private String discard(Line turn) {
        Card chosen = player.getDiscard();
        if (chosen == null) {
            throw new IllegalStateException("expected a card from getDiscard(), got null");
        }
        int card = Cards.number(chosen);
        drop(card);
        ArrayList<ArrayList<Card>> laid = player.getFinalMelds();
        List<List<Integer>> melds = laid == null ? null : Cards.numbers(laid);
        if (melds == null || Cards.pips(unmatched(melds)) > turn.number("limit")) {
            told.add(new Event(true, Event.DISCARD, card));
            return Answer.of(turn, "ACTION_DISCARD", card);
        }
        told.add(new Event(true, Event.KNOCK, card));
        return Answer.of(turn, "ACTION_KNOCK", card, melds);
    }

    private void drop(int card) {
        held.remove((Integer) card);
        pile.push(card);
        player.reportDiscard(ME, Cards.card(card));
    }

    private List<Integer> unmatched(List<List<Integer>> melds) {
        return held.stream().filter(card -> melds.stream().noneMatch(meld -> meld.contains(card))).toList();
    }

    private String defend(Line turn) {
        hasDefended = true;
        player.reportFinalMelds(OPPONENT, Cards.melds(turn.lists("knocker_melds")));
        ArrayList<ArrayList<Card>> laid = player.getFinalMelds();
        if (laid == null) {
            throw new IllegalStateException("expected melds from getFinalMelds() after the opponent's, got null");
        }
        return Answer.of(turn, "ACTION_DEFEND", Cards.numbers(laid));
    }

    /**
     * Tell what the bot has done itself. What it has answered in this process it is not asked again. In another it is
     * asked all that it was asked before, for the sake of what it may note then, and its answers are passed over.
     */
    private void tellOwn(Event event, int drawn) {
        if (event.isDiscard()) {
            player.getDiscard();
            drop(event.card());
            player.getFinalMelds();
        } else {
            boolean isForced = told.size() == 2 && told.get(1).action() == Event.PASS; // after two passes
            if (!isForced && !hasAskedDraw) {
                takesTop();
            }
            hasAskedDraw = false;
            if (event.action() != Event.PASS) {
                int card = event.isFromPile() ? pile.pop() : drawn;
                held.add(card);
                player.reportDraw(ME, Cards.card(card));
            }
        }
        told.add(event);
    }

    private void tellOther(Event event) {
        if (event.isDiscard()) {
            pile.push(event.card());
            player.reportDiscard(OPPONENT, Cards.card(event.card()));
        } else if (event.isFromPile()) {
            player.reportDraw(OPPONENT, Cards.card(pile.pop()));
        } else if (event.action() == Event.STOCK) {
            player.reportDraw(OPPONENT, null);
        }
        told.add(event);
    }

    private boolean startsWithTold(List<Event> history) {
        return history.size() >= told.size() && history.subList(0, told.size()).equals(told);
    }

    /** Tell how a hand has ended, with what was shown. */
    void handOver(Line notice) {
        if (notice.number("hand_number") != handNumber) {
            return; // the bot was not asked anything in it
        }
        List<Event> history = Event.history(notice);
        if (startsWithTold(history)) {
            history.subList(told.size(), history.size()).stream().filter(event -> !event.mine()).forEach(this::tellOther);
        }
        boolean isShown = SHOWDOWNS.contains(notice.text("end"));
        if (isShown) {
            showdown(notice);
        }
        player.reportFinalHand(ME, Cards.cards(held));
        if (isShown) {
            player.reportFinalHand(OPPONENT, Cards.cards(opponentsHand(notice)));
        }
        player.reportScores(notice.numbers("totals").stream().mapToInt(points -> points).toArray());
    }

    private void showdown(Line notice) {
        int knocker = notice.isTrue("knocked") ? ME : OPPONENT;
        List<List<Integer>> melds = new ArrayList<>();
        notice.lists("knocker_melds").forEach(meld -> melds.add(new ArrayList<>(meld)));
        if (!hasDefended) {
            player.reportFinalMelds(knocker, Cards.melds(melds));
        }
        player.reportFinalMelds(1 - knocker, Cards.melds(notice.lists("defender_melds")));
        List<Integer> layoffs = new ArrayList<>(notice.numbers("layoffs"));
        while (layoffs.removeIf(card -> layOff(card, melds, 1 - knocker))) {
            // A card may need another one to be laid off before it.
        }
    }

    /** Report one card if it fits. Runs go first, as a run can grow further, and a set cannot. */
    private boolean layOff(int card, List<List<Integer>> melds, int defender) {
        List<List<Integer>> fitting = melds.stream().filter(meld -> Cards.extendsMeld(meld, card)).toList();
        if (fitting.isEmpty()) {
            return false;
        }
        List<Integer> meld = fitting.stream().filter(one -> !Cards.isSet(one)).findFirst().orElse(fitting.get(0));
        player.reportLayoff(defender, Cards.card(card), Cards.cards(meld));
        meld.add(card);
        return true;
    }

    private static List<Integer> opponentsHand(Line notice) {
        boolean hasKnocked = !notice.isTrue("knocked");
        List<Integer> hand = new ArrayList<>();
        notice.lists(hasKnocked ? "knocker_melds" : "defender_melds").forEach(hand::addAll);
        hand.addAll(notice.numbers(hasKnocked ? "knocker_unmatched" : "defender_unmatched"));
        hand.addAll(hasKnocked ? List.of() : notice.numbers("layoffs"));
        return hand;
    }
}
