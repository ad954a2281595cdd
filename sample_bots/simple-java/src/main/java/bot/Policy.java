package bot;

import arena.v1.PlayerOuterClass.Action;
import arena.v1.PlayerOuterClass.Decision;
import arena.v1.PlayerOuterClass.Turn;
import com.google.protobuf.ByteString;

/** What the bot plays: the policy of {@code simple}, card by card. README.md says what it is. */
final class Policy {
    private Policy() {}

    /** The decision on one turn, without its id. The turn says all there is to know. */
    static Decision.Builder decide(Turn turn) {
        return switch (turn.getKind()) {
            case TURN_KIND_UPCARD -> act(topMakesMeld(turn) ? Action.ACTION_TAKE : Action.ACTION_PASS);
            case TURN_KIND_DRAW -> act(draw(turn));
            case TURN_KIND_DISCARD -> discard(turn);
            case TURN_KIND_DEFEND -> act(Action.ACTION_DEFEND); // no melds, no lay-offs: the arena lays down the best
            default -> act(Action.ACTION_UNSPECIFIED); // nothing this bot knows how to answer
        };
    }

    private static Decision.Builder act(Action action) {
        return Decision.newBuilder().setAction(action);
    }

    /** Where to draw. The last discard may be taken only to knock with it, and no hints, no knock: then it is left. */
    private static Action draw(Turn turn) {
        boolean isLastDiscard = turn.getLegalList().contains(Action.ACTION_PASS);
        boolean hasHints = !turn.getDeadwood().isEmpty();
        if (topMakesMeld(turn) && (hasHints || !isLastDiscard)) {
            return Action.ACTION_PILE;
        }
        return isLastDiscard ? Action.ACTION_PASS : Action.ACTION_STOCK;
    }

    /** The discard that leaves the least deadwood; of equals the highest rank, then suit. Knocks if it may. */
    private static Decision.Builder discard(Turn turn) {
        ByteString discards = turn.getDiscards();
        ByteString deadwood = turn.getDeadwood();
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < discards.size(); i++) {
            int card = discards.byteAt(i);
            int left = deadwood.isEmpty() ? 0 : deadwood.byteAt(i); // without hints all discards count as equal
            if (left < least || (left == least && height(card) > height(best))) {
                best = card;
                least = left;
            }
        }
        Action action = contains(turn.getKnocks(), best) ? Action.ACTION_KNOCK : Action.ACTION_DISCARD;
        return act(action).setCard(best);
    }

    /** Whether the top of the discard pile makes a set or a run with two cards in hand. */
    private static boolean topMakesMeld(Turn turn) {
        ByteString hand = turn.getHand();
        int top = turn.getDiscardPile().byteAt(turn.getDiscardPile().size() - 1);
        int ofRank = 0;
        for (byte card : hand) {
            ofRank += rankOf(card) == rankOf(top) ? 1 : 0;
        }
        boolean twoBelow = hasNeighbour(hand, top, -2);
        boolean oneBelow = hasNeighbour(hand, top, -1);
        boolean oneAbove = hasNeighbour(hand, top, 1);
        boolean twoAbove = hasNeighbour(hand, top, 2);
        return ofRank >= 2 || (twoBelow && oneBelow) || (oneBelow && oneAbove) || (oneAbove && twoAbove);
    }

    /** Whether the card so many ranks above the top (below it, if negative) is in hand, in its suit. */
    private static boolean hasNeighbour(ByteString hand, int top, int step) {
        int rank = rankOf(top) + step;
        return rank >= 0 && rank <= 12 && contains(hand, top + step);
    }

    private static boolean contains(ByteString cards, int card) {
        for (byte held : cards) {
            if (held == card) {
                return true;
            }
        }
        return false;
    }

    /** 0 for an ace to 12 for a king. */
    private static int rankOf(int card) {
        return card % 13;
    }

    /** 0 clubs, 1 diamonds, 2 hearts, 3 spades. */
    private static int suitOf(int card) {
        return card / 13;
    }

    /** Orders cards by rank, then by suit. */
    private static int height(int card) {
        return 4 * rankOf(card) + suitOf(card);
    }
}
